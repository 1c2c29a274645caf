import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { emptyToNull, gzip } from './encode-body.ts'

test('R169 empty strings become null at any depth, nothing else changes', () => {
  const date = new Date(0)
  expect(emptyToNull({ a: '', b: ' ', c: [{ d: '' }, 0, false], e: date, f: undefined })).toEqual({
    a: null,
    b: ' ',
    c: [{ d: null }, 0, false],
    e: date,
    f: undefined,
  })
})

test('R162 a blob is compressed in chunks of 32 kB', async () => {
  const bytes = new Uint8Array(100_000).map((_, index) => index % 251)
  const shares: number[] = []
  const packed = await gzip(new Blob([bytes]), share => shares.push(share))
  expect(new Uint8Array(gunzipSync(Buffer.from(await packed.arrayBuffer())))).toEqual(bytes)
  expect(shares).toEqual([0.32768, 0.65536, 0.98304, 1])
})
