import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unpackGzip } from '../../files/unpack-gzip.ts'
import { countLines } from './charset.ts'
import { withLineFeeds } from './line-ends.ts'
import { longLine, MAXIMUM_BYTES, MAXIMUM_LINE, uploadError } from './upload-error.ts'

/**
 * Writes an uploaded file to disk as it streams, decompressed: gzip is detected by its first bytes. Broken and
 * oversized files are rejected and leave nothing behind.
 *
 * @param reserve called before bytes are written; an error ends the upload
 * @returns number of bytes written
 * @throws UploadError (broken gzip, too large, a line longer than 1 MB, empty)
 */
export async function storeFile(
  source: Readable,
  path: string,
  reserve: (bytes: number) => Promise<void>,
  limit = MAXIMUM_BYTES,
): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  let size = 0
  try {
    await pipeline(
      source,
      unpackGzip,
      withLineFeeds,
      async function* check(chunks: AsyncIterable<Buffer>) {
        const line = lineGuard()
        for await (const chunk of chunks) {
          size += chunk.length
          if (size > limit) throw uploadError('upload.size', { size: inMegabytes(limit) })
          line(chunk)
          await reserve(chunk.length)
          yield chunk
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    )
  } catch (error) {
    await rm(path, { force: true })
    throw isBrokenGzip(error) ? uploadError('upload.gzip') : error
  }
  if (size > 0) return size
  await rm(path, { force: true })
  throw uploadError('upload.empty')
}

/** Rejects a line without end before a gigabyte of it is on disk. */
function lineGuard(): (chunk: Buffer) => void {
  let lines = 0
  let open = 0
  let isArchive: boolean | null = null
  return chunk => {
    isArchive ??= chunk.subarray(0, 2).toString('latin1') === 'PK'
    if (isArchive) return
    const last = chunk.lastIndexOf(0x0a)
    if (last < 0) open += chunk.length
    else {
      lines += countLines(chunk)
      open = chunk.length - last
    }
    if (open > 2 * MAXIMUM_LINE) throw longLine(lines + 1)
  }
}

function isBrokenGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`
}
