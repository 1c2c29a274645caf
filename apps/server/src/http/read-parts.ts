import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { parseBody } from './parse.ts'
import { readBytes } from './read-body.ts'
import { parseObject, parsePart } from './read-multipart.ts'

/** Maximum bytes of the parts before the file; browsers send a Blob of JSON as a file part. */
const PART_BYTES = 1_000_000

/**
 * Reads the parts of an upload in order: the JSON part `data` (or its fields as separate parts), and last the file,
 * which is not consumed here.
 */
export async function readParts<S extends z.ZodType>(
  request: FastifyRequest,
  schema: S,
): Promise<{ data: z.output<S>; file: MultipartFile }> {
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    if (part.type === 'file' && part.fieldname !== 'data') {
      const read = await readData(fields, part, schema)
      return { data: read, file: part }
    }
    const text =
      part.type === 'file' ? (await readBytes(part.file, PART_BYTES)).bytes : Buffer.from(String(part.value))
    Object.assign(
      fields,
      part.fieldname === 'data'
        ? parseObject('data', text, PART_BYTES)
        : { [part.fieldname]: parsePart(text, PART_BYTES) },
    )
  }
  throw invalid([fieldError('file', 'field.required')])
}

async function readData<S extends z.ZodType>(
  fields: Record<string, unknown>,
  part: MultipartFile,
  schema: S,
): Promise<z.output<S>> {
  try {
    return parseBody(schema, fields)
  } catch (error) {
    part.file.resume()
    throw error
  }
}
