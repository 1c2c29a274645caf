import { storagePath } from '@emma/contract/file-storage.ts'
import type { Method } from '@emma/contract/permissions.ts'
import { answer, body, errorsOf, multipart, type Operation } from './operation.ts'

const path = `${storagePath}/{path}`

const calls: readonly (readonly [
  method: Operation['method'],
  path: string,
  right: Method,
  summary: string,
  description: string,
])[] = [
  ['get', storagePath, 'get', 'Roots', 'The folder of the active client and the shared one.'],
  ['get', path, 'get', 'Folder or file', 'A path with a slash at its end lists a folder.'],
  [
    'post',
    storagePath,
    'post',
    'Upload into a folder',
    'multipart/form-data: `path`, `conflict_strategy`, then `file`.',
  ],
  [
    'post',
    path,
    'post',
    'Upload a file or create a folder',
    'multipart/form-data with `file` (into a folder, or under the name of the path), or JSON with `source`, the URL of a ' +
      'file. Without a body, a path with a slash at its end creates a folder. `conflict_strategy`: ask, keep, replace.',
  ],
  ['patch', path, 'patch', 'Rename or move', '`new_path`: the new path.'],
  ['delete', path, 'delete', 'Move to the bin', 'Folders must be empty.'],
  [
    'post',
    `${storagePath}/auth`,
    'get',
    'Validate a token',
    'A new token of the editor plugin and its `uid`.',
  ],
]

/** Calls of the file storage, in the format of Beefree's File System Provider. */
export const storageOperations: readonly Operation[] = calls.map(
  ([method, url, right, summary, description], index) => ({
    method,
    path: url,
    id: `fileStorage${index + 1}`,
    tag: 'content',
    summary: `File storage: ${summary}`,
    description,
    permission: `CloudStorage:${right}`,
    superadminOnly: false,
    parameters: url.includes('{path}')
      ? [
          {
            name: 'path',
            in: 'path',
            required: true,
            description: `\`{client_id}/…\` or \`shared/…\`; names: [ a-zA-Z0-9._-()]+`,
            schema: { type: 'string' },
          },
        ]
      : [],
    ...(method === 'post' || method === 'patch'
      ? { requestBody: requestBody(method === 'post' && !url.endsWith('/auth')) }
      : {}),
    responses: { 200: answer('`{ status, data }`', { type: 'object' }), ...errorsOf(400, 401, 403, 404) },
  }),
)

function requestBody(takesFiles: boolean): Operation['requestBody'] {
  const json = body({ type: 'object' })
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const form = multipart({ type: 'object', properties: { file } }, {})
  return { required: false, content: { ...(json.content as object), ...(takesFiles ? form : {}) } }
}
