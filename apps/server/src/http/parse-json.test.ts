import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const parse = (text: string, most: number) => parseJson(Buffer.from(text), most)

test.each([
  ['{"a":[1,2],"b":{}}', 7],
  [String.raw`{"a,:[{":"\"\\","b":"\\\"[[["}`, 4],
  ['[]', 1],
  ['"a,b,c"', 0],
])('JSON values: %s has at most %i', (text, values) => {
  expect(parse(text, values)).toEqual(JSON.parse(text))
  if (values > 0) expect(() => parse(text, values - 1)).toThrow('too many values')
})

test.each(['{', '"abc', '"\\', '[1,]', ''])('JSON values: %j is not JSON', text => {
  expect(() => parse(text, 10)).toThrow('not valid JSON')
})

test('JSON values: ten million are rejected without creating them', () => {
  const before = process.memoryUsage().heapUsed
  expect(() => parse(`[${'0,'.repeat(10_000_000)}0]`, 100_000)).toThrow('too many values')
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
})
