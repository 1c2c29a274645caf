import { isAscii, isUtf8 } from 'node:buffer'
import type { dataupload } from '@emma/contract/resources/dataupload.ts'
import type { z } from 'zod'
import { longLine, MAXIMUM_LINE, UploadError } from './upload-error.ts'

export type Charset = NonNullable<z.infer<typeof dataupload.fields.charset>>

const LINE_FEED = 0x0a

/**
 * The charset of a file by its beginning: the byte order mark, the zero bytes of UTF-16, valid UTF-8, else
 * windows-1252 (what spreadsheets in Western Europe write).
 *
 * @param isWhole whether there is no more of the file: then its last line counts without a line end
 * @throws UploadError when it is no text at all
 */
export function detectCharset(beginning: Buffer, isWhole: boolean): Charset {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be'
  const zeros = countZeros(beginning)
  const half = beginning.length / 2
  if (zeros.odd > half * 0.3 && zeros.even < half * 0.05) return 'utf-16le'
  if (zeros.even > half * 0.3 && zeros.odd < half * 0.05) return 'utf-16be'
  if (zeros.even + zeros.odd > 0)
    throw new UploadError(
      'The file is not a text file: it has NUL bytes. Save the table as CSV and upload that.',
    )
  const lines = wholeLines(beginning)
  // A file that is cut off in a character of its last line stays UTF-8, and is refused as broken.
  const isUtf8File = isUtf8(isWhole ? beginning : lines) || isMultibyteUtf8(lines)
  return isUtf8File ? 'utf-8' : 'windows-1252'
}

function countZeros(bytes: Buffer): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 }
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] === 0) zeros[index % 2 === 0 ? 'even' : 'odd']++
  }
  return zeros
}

/** Up to the last line feed, which no character of UTF-8 is cut by. */
export function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(LINE_FEED)
  return end < 0 ? bytes.subarray(0, lastCharacterStart(bytes)) : bytes.subarray(0, end + 1)
}

function lastCharacterStart(bytes: Buffer): number {
  let start = bytes.length
  while (start > 0 && start > bytes.length - 4 && ((bytes[start - 1] ?? 0) & 0x80) !== 0) start--
  return start
}

/** True for text that says other things in UTF-8 than in a single-byte charset. */
export function isMultibyteUtf8(bytes: Buffer): boolean {
  return !isAscii(bytes) && isUtf8(bytes)
}

/**
 * Decodes a stream of bytes, without a byte order mark. Pieces of byte charsets end at line ends, so that a reader of
 * lines rarely has to wait for the next.
 *
 * @throws UploadError for bytes that are not of the charset, or a line without an end
 */
export async function* decodeText(chunks: AsyncIterable<Buffer>, charset: Charset): AsyncGenerator<string> {
  if (charset === 'utf-16le' || charset === 'utf-16be') yield* decodeUtf16(chunks, charset)
  else yield* decodeBytes(chunks, charset === 'utf-8' ? null : new TextDecoder(charset))
}

async function* decodeUtf16(
  chunks: AsyncIterable<Buffer>,
  charset: 'utf-16le' | 'utf-16be',
): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset, { fatal: true })
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UploadError(
      `The file is not ${charset.toUpperCase()}: it has bytes that are no text in it. Choose another charset.`,
    )
  }
}

/**
 * `decoder` null: UTF-8, which is checked whole lines at a time. A chunk is used up before the next is asked for, so
 * its source may read into the same memory again: a file of 100 MB would leave 100 MB of garbage behind.
 */
async function* decodeBytes(
  chunks: AsyncIterable<Buffer>,
  decoder: TextDecoder | null,
): AsyncGenerator<string> {
  let carried: Buffer[] = []
  let carriedBytes = 0
  let lines = 0
  let isFirst = true
  const decode = (bytes: Buffer) => {
    const text = decoder ? decodeSingle(decoder, bytes) : decodeUtf8(bytes, lines)
    lines += countLines(bytes)
    const start = isFirst && text.startsWith('\ufeff') ? 1 : 0
    isFirst = false
    return start === 0 ? text : text.slice(start)
  }
  for await (const chunk of chunks) {
    const first = carriedBytes === 0 ? 0 : chunk.indexOf(LINE_FEED) + 1
    const last = chunk.lastIndexOf(LINE_FEED) + 1
    if (last > 0) {
      if (first > 0) yield decode(Buffer.concat([...carried, chunk.subarray(0, first)]))
      if (last > first) yield decode(chunk.subarray(first, last))
      carried = []
      carriedBytes = 0
    }
    if (last === chunk.length) continue
    carried.push(Buffer.from(chunk.subarray(last)))
    carriedBytes += chunk.length - last
    if (carriedBytes > MAXIMUM_LINE) throw longLine(lines + 1)
  }
  if (carriedBytes > 0) yield decode(Buffer.concat(carried))
}

/** ASCII needs no decoding: one byte a character, as V8 keeps it. */
function decodeSingle(decoder: TextDecoder, bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes)
}

function decodeUtf8(bytes: Buffer, linesBefore: number): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new UploadError(
    `Line ${linesBefore + firstBrokenLine(bytes)} is not UTF-8. Choose the charset of the file, for spreadsheets mostly windows-1252.`,
  )
}

function firstBrokenLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length
    if (!isUtf8(bytes.subarray(start, end))) break
    start = end
  }
  return line
}

export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}
