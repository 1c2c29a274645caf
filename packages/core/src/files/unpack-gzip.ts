import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/**
 * Unpacks gzip, which is detected by its first two bytes (RFC 1952, 2.3.1); other bytes stay as they are.
 * @throws an error of zlib (its code begins with `Z_`) for damaged bytes; errors of the source
 */
export async function* unpackGzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const whole = followedBy(head, chunks)
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  // The reader of the last stream gets the errors, too.
  yield* isGzip ? pipeline(whole, createGunzip(), () => {}) : whole
}

async function* followedBy(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head
  yield* { [Symbol.asyncIterator]: () => rest }
}
