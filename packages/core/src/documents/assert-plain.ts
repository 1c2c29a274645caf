import { badDocumentRequest, DocumentError } from './document-error.ts'

/** Levels of a document or a query. */
const deepest = 32

/**
 * What arrives must be something that PostgreSQL can keep and nobody can choke on: no NUL, no broken characters, no
 * numbers beyond a double, no `__proto__`, not nested deeper than 32 levels.
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
    if (key === '__proto__') throw badDocumentRequest('__proto__ is no name')
    assertPlain(key, levels)
    assertPlain(child, levels - 1)
  }
}

/** Bytes of one document. */
const largest = 256 * 1024

export function assertSize(body: unknown): void {
  if (Buffer.byteLength(JSON.stringify(body)) > largest)
    throw new DocumentError(413, 'document_too_large', `A document may have ${largest} bytes`)
}
