import { documentPath } from '@emma/contract/actions/documents.ts'
import { answer, body, errorsOf, type Operation, pathParameters } from './operation.ts'

/** Calls of CouchDB's protocol below a database. */
const calls: readonly (readonly [Operation['method'], path: string, summary: string])[] = [
  ['get', '', 'State of the database'],
  ['put', '', 'Create the database (it exists already)'],
  ['delete', '', 'Delete the database (refused)'],
  ['get', '/_all_docs', 'All documents'],
  ['post', '/_all_docs', 'Documents by their keys'],
  ['get', '/_changes', 'What changed'],
  ['post', '/_changes', 'Changes by document'],
  ['post', '/_bulk_get', 'Several documents by revision'],
  ['post', '/_revs_diff', 'Missing revisions'],
  ['post', '/_compact', 'Compact the database'],
  ['post', '/_ensure_full_commit', 'Flush to disk'],
  ['get', '/_index', 'All indexes'],
  ['post', '/_index', 'Create an index'],
  ['delete', '/_index/{ddoc}/json/{name}', 'Delete an index'],
  ['get', '/_local/{id}', 'Read a checkpoint'],
  ['put', '/_local/{id}', 'Write a checkpoint'],
  ['delete', '/_local/{id}', 'Delete a checkpoint'],
  ['delete', '/{id}', 'Delete a document'],
]

/** Calls of the document store other than actions. They need the permission of the database's entity. */
export const documentOperations: readonly Operation[] = calls.map(([method, path, summary], index) => ({
  method,
  path: `${documentPath}${path}`,
  id: `documents${index + 1}`,
  tag: 'platform',
  summary: `Document store: ${summary}`,
  description: 'As in CouchDB.',
  permission: null,
  superadminOnly: false,
  parameters: pathParameters(`${documentPath}${path}`).map(parameter =>
    parameter.name === 'id' ? { ...parameter, schema: { type: 'string' } } : parameter,
  ),
  ...(method === 'post' || path.startsWith('/_local')
    ? { requestBody: { ...body({ type: 'object' }), required: false } }
    : {}),
  responses: { 200: answer('Done', { type: 'object' }), ...errorsOf(400, 401, 403, 404) },
}))
