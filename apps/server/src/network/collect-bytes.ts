import type { ByteBudget } from './byte-budget.ts'

/** Why the bytes of a stream were not kept. */
export class CollectError extends Error {
  override name = 'CollectError'
  readonly reason: 'too large' | 'busy' | 'broken'

  constructor(reason: 'too large' | 'busy' | 'broken', options?: ErrorOptions) {
    super(`The bytes were not kept: ${reason}`, options)
    this.reason = reason
  }
}

/** Bytes that are reserved in a budget until they are released. */
export interface CollectedBytes {
  bytes: Buffer
  readonly release: () => void
}

const FIRST_BYTES = 4096

/**
 * Reads pieces into one buffer that grows: a sender of single bytes costs no more than one of large pieces. Past the
 * limit, or when the budget is used up, reading ends and what was kept is forgotten.
 *
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
