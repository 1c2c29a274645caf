import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EmmaError, invalid } from '@emma/contract/errors.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { FastifyRequest } from 'fastify'

/**
 * A record that came as multipart (R162): a file part holds it as JSON, gzip-compressed or plain; further parts are
 * single fields, each JSON (or text, when it is none). What a later part names again counts.
 *
 * @param limit bytes of the whole, unpacked
 * @throws EmmaError `too_large`, `bad_request` (broken gzip), `invalid` (a file that is no JSON object)
 */
export async function readMultipart(request: FastifyRequest, limit: number): Promise<Fields> {
  const fields: Fields = {}
  let left = limit
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const text = await readText(part.file, left)
      left -= Buffer.byteLength(text)
      Object.assign(fields, parseObject(part.fieldname, text))
      continue
    }
    if (part.fieldname === '__proto__')
      throw invalid([{ field: part.fieldname, message: 'is not known here' }])
    fields[part.fieldname] = parseValue(String(part.value))
  }
  return fields
}

async function readText(source: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of unpacked(source)) {
      size += chunk.length
      if (size > limit) throw new EmmaError('too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    source.resume()
    if (error instanceof EmmaError) throw error
    throw new EmmaError('bad_request', 'The gzip part is broken')
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Gzip is known by its first two bytes (RFC 1952, 2.3.1). */
async function* unpacked(source: Readable): AsyncGenerator<Buffer> {
  const iterator: AsyncIterator<Buffer> = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) return
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield first.value
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    return
  }
  const gunzip = createGunzip()
  gunzip.write(first.value)
  source.on('error', error => gunzip.destroy(error))
  yield* source.pipe(gunzip)
}

function parseObject(field: string, text: string): object {
  const value = parseValue(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalid([{ field, message: 'is not a JSON object' }])
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
