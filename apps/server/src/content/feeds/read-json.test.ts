import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

const url = 'https://api.test/'
const faultOf = (source: string) => {
  const read = readJson(source, url)
  return 'fault' in read ? read.fault.code : null
}

test('JSON is read with its values', () => {
  const source = '\uFEFF{"products":[{"name":"Boat","price":12.5,"isNew":true,"image":null}]}'
  expect(readJson(source, url)).toEqual({
    data: { products: [{ name: 'Boat', price: 12.5, isNew: true, image: null }] },
  })
})

test('names of prototypes are left out, at any level', () => {
  const source = '{"__proto__":{"isAdmin":true},"a":{"constructor":{"prototype":{"b":1}},"c":2}}'
  const read = readJson(source, url)
  expect(read).toEqual({ data: { a: { c: 2 } } })
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
})

test('texts can be stored, and numbers too large for JavaScript are empty', () => {
  const source = `{"nul":"a\\u0000b","lone":"\\ud800","huge":1e999,"long":${'9'.repeat(400_000)},"text":"${'9'.repeat(100_000)}"}`
  expect(readJson(source, url)).toEqual({
    data: { nul: 'ab', lone: '\uFFFD', huge: null, long: null, text: '9'.repeat(100_000) },
  })
})

test.each([
  ['a login page', '\n<!doctype html><form><input type="password"></form>', 'feed.page'],
  ['no JSON', 'prices: 12', 'feed.not_json'],
  ['nothing', '', 'feed.not_json'],
  ['50 levels', `${'['.repeat(50)}${']'.repeat(50)}`, 'feed.json_deep'],
  ['levels without end', '['.repeat(500_000), 'feed.not_json'],
  ['very many levels', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'feed.json_deep'],
  ['too many values', `[${'0,'.repeat(30_000)}0]`, 'feed.json_many'],
])('%s is a fault', (_, source, code) => {
  expect(faultOf(source)).toBe(code)
})
