import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { unpacked } from './read-multipart.ts'

describe('unpacked', () => {
  const text = Buffer.from('a text that comes in several packets, '.repeat(100))

  for (const [name, bytes] of [
    ['plain', text],
    ['gzip', gzipSync(text)],
  ] as const)
    test(`reads ${name} bytes wherever the packets are cut, and an end that comes later`, async () => {
      for (const cuts of [[], [1], [2], [20], [1, 2, 30], [40, 41, 60]]) {
        const source = new PassThrough()
        const read = collect(unpacked(source))
        for (const [index, end] of [...cuts, bytes.length].entries()) {
          source.write(bytes.subarray(cuts[index - 1] ?? 0, end))
          await new Promise(resolve => setImmediate(resolve))
        }
        source.end()
        expect(await read).toEqual(text)
      }
    })

  test('fails with the error of a damaged archive', async () => {
    const source = new PassThrough()
    source.end(gzipSync(text).fill(0, 20, 60))
    await expect(collect(unpacked(source))).rejects.toMatchObject({ code: expect.stringMatching(/^Z_/) })
  })

  test('fails with the error of its source', async () => {
    const source = new PassThrough()
    const read = collect(unpacked(source))
    source.write(gzipSync(text).subarray(0, 30))
    setImmediate(() => source.destroy(new Error('the client is gone')))
    await expect(read).rejects.toThrow('the client is gone')
  })

  test('leaves a source open that is not read to its end', async () => {
    for (const bytes of [text, gzipSync(text)]) {
      const source = new PassThrough()
      source.write(bytes)
      for await (const chunk of unpacked(source)) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      await new Promise(resolve => setImmediate(resolve))
      expect(source.destroyed).toBe(false)
    }
  })
})

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
