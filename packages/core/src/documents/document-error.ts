/** Error response in CouchDB's format: `{ error, reason }` with its HTTP status. */
export class DocumentError extends Error {
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, reason: string) {
    super(reason)
    this.name = 'DocumentError'
    this.status = status
    this.error = error
  }
}

export function badDocumentRequest(reason: string): DocumentError {
  return new DocumentError(400, 'bad_request', reason)
}

export function missingDocument(reason: 'missing' | 'deleted' = 'missing'): DocumentError {
  return new DocumentError(404, 'not_found', reason)
}
