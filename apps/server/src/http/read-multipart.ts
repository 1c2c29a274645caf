import type { Readable } from 'node:stream'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { unpackGzip } from '@emma/core/files/unpack-gzip.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { FastifyRequest } from 'fastify'
import { parseJson } from './parse-json.ts'
import { readBytes, valuesOf } from './read-body.ts'

/**
 * Reads a record sent as multipart (R162): a file part contains it as JSON, gzip-compressed or plain; further parts
 * are single fields, each JSON (or text, if invalid). Later parts override earlier ones.
 * @param limit maximum bytes in total, unpacked
 * @throws EmmaError `too_large`, `bad_request` (invalid gzip), `invalid` (a file that is not a JSON object)
 */
export async function readMultipart(request: FastifyRequest, limit: number): Promise<Fields> {
  const fields: Fields = {}
  let left = limit
  for await (const part of request.parts({ limits: { fieldSize: limit } })) {
    if (part.type === 'file') {
      const { bytes } = await readBytes(unpacked(part.file), left)
      left -= bytes.length
      Object.assign(fields, parseObject(part.fieldname, bytes, limit))
      continue
    }
    if (part.fieldnameTruncated || part.valueTruncated) throw new EmmaError('too_large')
    const text = Buffer.from(String(part.value))
    left -= text.length
    if (left < 0) throw new EmmaError('too_large')
    if (part.fieldname === '__proto__') throw invalid([fieldError(part.fieldname, 'field.unknown')])
    fields[part.fieldname] = parsePart(text, limit)
  }
  return fields
}

/** The bytes of a part, unpacked. A part that is not read to its end stays open: the parser of the request drains it. */
export function unpacked(part: Readable): AsyncGenerator<Buffer> {
  return unpackGzip(part.iterator({ destroyOnReturn: false }))
}

/** Parses a field or part: JSON if valid, otherwise the text itself. */
export function parsePart(text: Buffer, limit: number): unknown {
  try {
    return parseJson(text, valuesOf(limit))
  } catch (error) {
    if (error instanceof EmmaError && error.code === 'bad_request') return text.toString('utf8')
    throw error
  }
}

/** @throws EmmaError `invalid` if it is not an object */
export function parseObject(field: string, text: Buffer, limit: number): object {
  const value = parsePart(text, limit)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalid([fieldError(field, 'field.json_object')])
}
