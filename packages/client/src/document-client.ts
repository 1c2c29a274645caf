import {
  createDocument,
  type DocumentEndpoint,
  documentPage,
  documentsSelected,
  findDocuments,
  readDocument,
  type StoredDocument,
  updateDocument,
  type WrittenDocument,
  writeDocuments,
} from '@emma/contract/actions/documents.ts'
import type { EmmaClient } from './emma-client.ts'

/** Fields of a document besides the store's own members. */
export type DocumentValues = Record<string, unknown>

export interface FindOptions {
  /** Substring of the label, ignoring case. */
  search?: string | undefined
  /** Additional conditions (Mango). */
  selector?: Record<string, unknown>
  sort?: Record<string, 'asc' | 'desc'>[]
  skip?: number
  limit?: number
  signal?: AbortSignal | undefined
}

export interface DocumentClient {
  /** Fetches one page, default 100; `isLast` if no more follow. Ordered by label. */
  find(options?: FindOptions): Promise<{ docs: StoredDocument[]; isLast: boolean }>
  /** Fetches every matching document, in pages of 100, at most 9999. */
  findAll(options?: Omit<FindOptions, 'skip' | 'limit'>): Promise<StoredDocument[]>
  read(id: string): Promise<StoredDocument>
  create(values: DocumentValues): Promise<StoredDocument>
  /** Writes the whole document with the revision it was read with. @throws ApiError 409 `conflict` if it is stale */
  update(document: StoredDocument): Promise<StoredDocument>
  /** Removes several; returns a result for each. */
  remove(documents: readonly Pick<StoredDocument, '_id' | '_rev'>[]): Promise<WrittenDocument[]>
}

/**
 * Creates a client for the documents of one endpoint of the active client (R300).
 * @param label the field that is searched and sorted by
 */
export function createDocumentClient(
  api: Pick<EmmaClient, 'call'>,
  endpoint: DocumentEndpoint,
  label = 'name',
): DocumentClient {
  const params = { endpoint }

  async function find(options: FindOptions = {}) {
    const { search = '', selector = {}, sort = [{ [label]: 'asc' as const }], skip = 0, signal } = options
    const limit = options.limit ?? documentPage
    const named = search.trim() === '' ? {} : { [label]: { $regex: `(?i)${literal(search.trim())}` } }
    const { docs } = await api.call(findDocuments, {
      params,
      body: { selector: { ...selector, ...named }, sort, skip, limit },
      signal,
    })
    return { docs: docs.filter(isStored), isLast: docs.length < limit }
  }

  return {
    find,
    async findAll(options = {}) {
      const all: StoredDocument[] = []
      let isLast = false
      while (!isLast && all.length < documentsSelected) {
        const limit = Math.min(documentPage, documentsSelected - all.length)
        const page = await find({ ...options, skip: all.length, limit })
        all.push(...page.docs)
        isLast = page.isLast
      }
      return all
    },
    async read(id) {
      const found = await api.call(readDocument, { params: { ...params, document: id }, ignoreCache: true })
      return found
    },
    async create(values) {
      const { id, rev } = await api.call(createDocument, { params, body: values })
      return { ...values, _id: id, _rev: rev, endpoint }
    },
    async update({ _id, _rev, ...values }) {
      const { rev } = await api.call(updateDocument, {
        params: { ...params, document: _id },
        query: { rev: _rev },
        body: values,
      })
      return { ...values, _id, _rev: rev, endpoint }
    },
    remove: documents =>
      api.call(writeDocuments, {
        params,
        body: { docs: documents.map(({ _id, _rev }) => ({ _id, _rev, _deleted: true })) },
      }),
  }
}

/** Escapes text for a pattern. */
function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function isStored(document: Record<string, unknown>): document is StoredDocument {
  return typeof document['_id'] === 'string' && typeof document['_rev'] === 'string'
}
