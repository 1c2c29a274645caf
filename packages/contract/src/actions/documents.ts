import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import type { Entity } from '../permissions.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * The document store (R300): one database per client and endpoint, with CouchDB's HTTP API. Permissions are those of
 * the endpoint's entity; writing is for superadmins (T2), as the screens belong to the system area.
 */
export const documentEndpoints = {
  sqltemplate: 'SqlTemplate',
  downloadtemplate: 'DownloadTemplate',
  ipallocation: 'IpAllocation',
  clustermailclass: 'ClusterMailclass',
} as const satisfies Record<string, Entity>

export type DocumentEndpoint = keyof typeof documentEndpoints

export function isDocumentEndpoint(name: string): name is DocumentEndpoint {
  return Object.hasOwn(documentEndpoints, name)
}

/** Page size when all documents are fetched, and most documents of a selection (R300). */
export const documentPage = 100
export const documentsSelected = 9999

/** Path of a database; further segments follow. */
export const documentPath = '/documents/{client_id}/{endpoint}'

const endpoint = z.enum(['sqltemplate', 'downloadtemplate', 'ipallocation', 'clustermailclass'])
const params = z.object({ client_id: z.coerce.number().int().positive(), endpoint })
const rev = z.string().regex(/^\d{1,9}-[0-9a-f]{32}$/, checkFault('field.document_revision'))

/** A document on the wire: its own fields, and the store's fields, which start with `_`. */
export const document = z.looseObject({
  _id: z.string().min(1).max(255).optional(),
  _rev: rev.optional(),
  _deleted: z.boolean().optional(),
  _revisions: z
    .object({ start: z.int().positive(), ids: z.array(z.string().max(64)).min(1).max(1000) })
    .optional(),
})

/** Content of a document: JSON of any shape. */
export type DocumentBody = { [field: string]: unknown }

/** A document as read: `endpoint` names its database. */
export type StoredDocument = { _id: string; _rev: string; endpoint?: string; [field: string]: unknown }

const direction = z.enum(['asc', 'desc'])
const sort = z.array(z.union([z.string().max(255), z.record(z.string().max(255), direction)])).max(5)

export const documentQuery = z.object({
  selector: z.record(z.string(), z.unknown()),
  limit: z.int().min(0).max(documentsSelected).default(25),
  skip: z.int().min(0).max(1_000_000).default(0),
  sort: sort.optional(),
  fields: z.array(z.string().max(255)).max(100).optional(),
  bookmark: z.string().max(100).nullish(),
  execution_stats: z.boolean().optional(),
  // Options of CouchDB's query planner, which are accepted and ignored.
  use_index: z.unknown().optional(),
  conflicts: z.boolean().optional(),
  update: z.unknown().optional(),
  stable: z.unknown().optional(),
  stale: z.unknown().optional(),
  r: z.unknown().optional(),
})

export const bulkDocuments = z.object({
  docs: z.array(document).max(documentsSelected),
  new_edits: z.boolean().optional(),
})

/** Result of one document of a bulk write. */
const writtenDocument = z.object({
  id: z.string(),
  ok: z.literal(true).optional(),
  rev: z.string().optional(),
  error: z.string().optional(),
  reason: z.string().optional(),
})

export type WrittenDocument = z.infer<typeof writtenDocument>

const written = z.object({ ok: z.literal(true), id: z.string(), rev: z.string() })

/** `POST _find`: documents that match a selector. */
export const findDocuments = defineAction({
  name: 'findDocuments',
  area: 'platform',
  method: 'POST',
  reads: true,
  paths: [`${documentPath}/_find`],
  permission: null,
  params,
  query: z.object({}),
  body: documentQuery,
  response: z.looseObject({ docs: z.array(z.looseObject({})), bookmark: z.string() }),
})

export const createDocument = defineAction({
  ...findDocuments,
  name: 'createDocument',
  paths: [documentPath],
  body: document,
  response: written,
  status: 201,
})

export const readDocument = defineAction({
  ...findDocuments,
  name: 'readDocument',
  method: 'GET',
  paths: [`${documentPath}/{document}`],
  params: params.extend({ document: z.string().max(255) }),
  body: z.unknown(),
  response: z.looseObject({ _id: z.string(), _rev: z.string() }),
})

/** `PUT ?rev=`: an outdated revision gives 409 `conflict`. */
export const updateDocument = defineAction({
  ...readDocument,
  name: 'updateDocument',
  method: 'PUT',
  query: z.looseObject({ rev: rev.optional() }),
  body: document,
  response: written,
  status: 201,
})

/** `POST _bulk_docs`: writes several documents, `_deleted` deletes; each has its own result. */
export const writeDocuments = defineAction({
  ...findDocuments,
  name: 'writeDocuments',
  paths: [`${documentPath}/_bulk_docs`],
  body: bulkDocuments,
  response: z.array(writtenDocument),
  status: 201,
})
