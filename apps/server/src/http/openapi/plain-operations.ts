import { documentOperations } from './document-operations.ts'
import type { Operation } from './operation.ts'
import { storageOperations } from './storage-operations.ts'

const base = { tag: 'platform', superadminOnly: false }

/** Calls that belong neither to a resource nor to an action. */
export const plainOperations: readonly Operation[] = [
  ...documentOperations,
  ...storageOperations,
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
    summary: 'This description as an interactive page',
    permission: 'public',
    parameters: [],
    responses: { 200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } } },
  },
  {
    ...base,
    method: 'get',
    path: '/docs/{file}',
    id: 'readDocsFile',
    summary: 'Files of that page',
    permission: 'public',
    parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: { description: 'A style sheet or a script' },
      404: { description: 'Not a file of the page' },
    },
  },
  {
    ...base,
    method: 'get',
    path: '/socket',
    id: 'openSocket',
    summary: 'Live events (WebSocket)',
    description:
      'Frames of `{ type, data }`. The token is sent as a subprotocol, since browsers send no headers here.',
    permission: 'public',
    parameters: [
      {
        name: 'Sec-WebSocket-Protocol',
        in: 'header',
        required: true,
        description: '`emma, emma.token.{token}`',
        schema: { type: 'string' },
      },
    ],
    responses: { 101: { description: 'Switched to the WebSocket protocol' } },
  },
]
