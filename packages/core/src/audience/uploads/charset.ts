import { isAscii, isUtf8 } from 'node:buffer'
import type { dataupload } from '@emma/contract/resources/dataupload.ts'
import type { z } from 'zod'
import { longLine, MAXIMUM_LINE, uploadError } from './upload-error.ts'

export type Charset = NonNullable<z.infer<typeof dataupload.fields.charset>>

const LINE_FEED = 0x0a

/**
 * Detects the charset from the start of a file: byte order mark, zero bytes of UTF-16, valid UTF-8, else windows-1252
 * (which spreadsheets in Western Europe write).
 *
 * @param isWhole whether the file ends here, so that its last line counts without a line end
 * @throws UploadError when it is no text
 */
export function detectCharset(beginning: Buffer, isWhole: boolean): Charset {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be'
  const zeros = countZeros(beginning)
  const half = beginning.length / 2
  if (zeros.odd > half * 0.3 && zeros.even < half * 0.05) return 'utf-16le'
  if (zeros.even > half * 0.3 && zeros.odd < half * 0.05) return 'utf-16be'
  if (zeros.even + zeros.odd > 0) throw uploadError('upload.not_text')
  const lines = wholeLines(beginning)
  // A UTF-8 file that ends within a character stays UTF-8 and is rejected as invalid.
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

/** The bytes up to the last line feed, or else up to the last complete UTF-8 character. */
export function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(LINE_FEED)
  return end < 0 ? bytes.subarray(0, lastCharacterStart(bytes)) : bytes.subarray(0, end + 1)
}

function lastCharacterStart(bytes: Buffer): number {
  let start = bytes.length
  while (start > 0 && start > bytes.length - 4 && ((bytes[start - 1] ?? 0) & 0x80) !== 0) start--
  return start
}

/** Whether the text differs between UTF-8 and a single-byte charset. */
export function isMultibyteUtf8(bytes: Buffer): boolean {
  return !isAscii(bytes) && isUtf8(bytes)
}

/**
 * Decodes a stream of bytes, without the byte order mark. Chunks of single-byte charsets and UTF-8 end at line ends, so
 * that a line reader rarely has to buffer.
 *
 * @throws UploadError for bytes that are invalid in the charset, or a line without end
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
    throw uploadError('upload.not_charset', { charset: charset.toUpperCase() })
  }
}

/**
 * `decoder` null: UTF-8, validated in whole lines. Each chunk is consumed before the next is requested, so that the
 * source can reuse its buffer; otherwise a file of 100 MB would create 100 MB of garbage.
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

/** ASCII needs no decoding: latin1 strings take one byte per character in V8. */
function decodeSingle(decoder: TextDecoder, bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes)
}

function decodeUtf8(bytes: Buffer, linesBefore: number): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw uploadError('upload.not_utf8', { line: linesBefore + firstBrokenLine(bytes) })
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
