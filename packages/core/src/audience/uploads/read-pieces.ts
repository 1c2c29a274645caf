import { open } from 'node:fs/promises'

const PIECE = 128 * 1024

/** Reads a file in chunks. Each is only valid until the next one is requested, as they share one buffer. */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    const memory = Buffer.allocUnsafeSlow(PIECE)
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, PIECE)
      if (bytesRead === 0) return
      yield memory.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
