import type { ByteBudget } from './byte-budget.ts'

/** Reason why the bytes of a stream were discarded. */
export class CollectError extends Error {
  override name = 'CollectError'
  readonly reason: 'too large' | 'busy' | 'broken'

  constructor(reason: 'too large' | 'busy' | 'broken', options?: ErrorOptions) {
    super(`The bytes were discarded: ${reason}`, options)
    this.reason = reason
  }
}

/** Bytes reserved in a budget until released. */
export interface CollectedBytes {
  bytes: Buffer
  readonly release: () => void
}

const FIRST_BYTES = 4096

/**
 * Collects chunks in one growing buffer: single bytes cost no more than large chunks. Past the limit, or without
 * budget, reading stops and the bytes are discarded.
 * @throws CollectError
 */
export async function collectBytes(
  pieces: AsyncIterable<Buffer>,
  limit: number,
  budget?: ByteBudget,
): Promise<CollectedBytes> {
  let bytes = Buffer.alloc(0)
  let size = 0
  const release = () => {
    budget?.release(bytes.length)
    bytes = Buffer.alloc(0)
  }
  const grow = (needed: number) => {
    const capacity = Math.min(limit, Math.max(FIRST_BYTES, needed, bytes.length * 2))
    if (budget?.reserve(capacity - bytes.length) === false) throw new CollectError('busy')
    const larger = Buffer.allocUnsafeSlow(capacity)
    bytes.copy(larger, 0, 0, size)
    bytes = larger
  }
  try {
    for await (const piece of pieces) {
      if (size + piece.length > limit) throw new CollectError('too large')
      if (size + piece.length > bytes.length) grow(size + piece.length)
      size += piece.copy(bytes, size)
    }
  } catch (error) {
    release()
    throw error instanceof CollectError ? error : new CollectError('broken', { cause: error })
  }
  return { bytes: bytes.subarray(0, size), release }
}
