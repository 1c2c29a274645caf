import { expect, test } from 'vitest'
import { withLineFeeds } from './line-ends.ts'

async function convert(bytes: Buffer, size: number): Promise<Buffer> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const converted: Buffer[] = []
  for await (const chunk of withLineFeeds(chunks())) converted.push(Buffer.from(chunk))
  return Buffer.concat(converted)
}

test.for([1, 3, 1000])('lone carriage returns become line feeds, in chunks of %i bytes', async size => {
  const text = 'email;name\ra@x.example;ഁčĊ\rb@x.example;ü\r'
  const expected = text.replaceAll('\r', '\n')
  expect((await convert(Buffer.from(text), size)).toString()).toBe(expected)
  const utf16 = Buffer.from(text.replace('Ċ', 'x'), 'utf16le')
  const expected16 = Buffer.from(expected.replace('Ċ', 'x'), 'utf16le')
  expect(await convert(utf16, size)).toEqual(expected16)
  expect(await convert(Buffer.from(utf16).swap16(), size)).toEqual(Buffer.from(expected16).swap16())
})

test('files with line feeds stay unchanged', async () => {
  const bytes = Buffer.from('a\r\n"x\ry"\r\n')
  expect(await convert(bytes, 2)).toEqual(bytes)
})
