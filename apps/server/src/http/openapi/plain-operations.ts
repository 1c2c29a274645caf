import { documentOperations } from './document-operations.ts'
import type { Operation } from './operation.ts'

const base = { tag: 'platform', superadminOnly: false }

/** Calls that are neither a resource's nor an action's. */
export const plainOperations: readonly Operation[] = [
  ...documentOperations,
  {
    ...base,
    method: 'get',
    path: '/openapi.json',
    id: 'readOpenapi',
    summary: 'This description',
    permission: 'public',
    parameters: [],
    responses: {
      200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
  {
    ...base,
    method: 'get',
    path: '/docs',
    id: 'readDocs',
    summary: 'This description as a page to try it out',
    permission: 'public',
    parameters: [],
    responses: { 200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } } },
  },
  {
    ...base,
    method: 'get',
    path: '/docs/{file}',
    id: 'readDocsFile',
    summary: 'What the page is made of',
    permission: 'public',
    parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: { description: 'A style sheet or a script' },
      404: { description: 'No file of the page' },
    },
  },
  {
    ...base,
    method: 'get',
    path: '/socket',
    id: 'openSocket',
    summary: 'Live news (WebSocket)',
    description:
      'Frames of `{ type, data }`. The token stands in the query, since browsers send no headers here.',
    permission: 'public',
    parameters: [{ name: 'token', in: 'query', required: true, schema: { type: 'string' } }],
    responses: { 101: { description: 'The connection is a WebSocket now' } },
  },
]
