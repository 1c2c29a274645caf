import { badDocumentRequest, DocumentError } from './document-error.ts'

/** Most nesting levels of a document or query. */
const deepest = 32

/**
 * Rejects input that PostgreSQL cannot store or that is unsafe to process: NUL, lone surrogates, numbers beyond a
 * double, `__proto__`, more than 32 nesting levels.
 *
 * @throws DocumentError `bad_request`
 */
export function assertPlain(value: unknown, levels = deepest): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed())
      throw badDocumentRequest('Texts must not contain NUL or broken characters')
    return
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw badDocumentRequest('A number is too large')
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw badDocumentRequest(`More than ${deepest} levels are too deep`)
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw badDocumentRequest('__proto__ is not allowed as a name')
    assertPlain(key, levels)
    assertPlain(child, levels - 1)
  }
}

/** Most bytes of one document. */
const largest = 256 * 1024

export function assertSize(body: unknown): void {
  if (Buffer.byteLength(JSON.stringify(body)) > largest)
    throw new DocumentError(413, 'document_too_large', `A document may have ${largest} bytes`)
}
