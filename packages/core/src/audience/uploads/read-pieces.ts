import { open } from 'node:fs/promises'

const PIECE = 128 * 1024

/** A file in pieces. Each is good until the next is asked for: they share their memory. */
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
