import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmmaError } from '@emma/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from './http.ts'
import { buildOpenapi } from './openapi/build-openapi.ts'
import type { Schema } from './openapi/json-schema.ts'
import { toOpenapi30 } from './openapi/to-openapi-30.ts'

/**
 * Mounts `/api/openapi.json`, the description of the API, and `/api/docs`, a page to read it and try it out, which reads
 * it as OpenAPI 3.0.
 */
export function mountDocs({ app }: Http): void {
  let described: Tagged | undefined
  app.get('/api/openapi.json', (request, reply) => {
    described ??= tagged(buildOpenapi(readVersion()))
    return sendTagged(request, reply, described)
  })

  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
  )

  let described30: Tagged | undefined
  app.get<{ Params: { file: string } }>('/api/docs/:file', async (request, reply) => {
    if (request.params.file === 'openapi.json') {
      described30 ??= tagged(toOpenapi30(buildOpenapi(readVersion())))
      return sendTagged(request, reply, described30)
    }
    const file = files.get(request.params.file)
    if (!file) throw new EmmaError('not_found')
    return reply
      .type(file.type)
      .header('cache-control', 'public, max-age=3600')
      .send(await file.read())
  })
}

interface Tagged {
  text: string
  etag: string
}

function tagged(document: Schema): Tagged {
  const text = JSON.stringify(document)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` }
}

function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, { text, etag }: Tagged): FastifyReply {
  void reply.header('etag', etag).header('cache-control', 'no-cache')
  if (headers['if-none-match'] === etag) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

/** Version of the program, as in the description. */
export function readVersion(): string {
  const file = new URL('../../../../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}

const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/** The page's policy is `'self'`: all content is in files, none inline. */
const files = new Map<string, { type: string; read(): Promise<Buffer | string> }>(
  Object.entries({
    'swagger-ui.css': { type: style, read: () => readFile(join(folder, 'swagger-ui.css')) },
    'swagger-ui-bundle.js': { type: script, read: () => readFile(join(folder, 'swagger-ui-bundle.js')) },
    'start.js': { type: script, read: async () => startScript },
    'page.css': { type: style, read: async () => pageStyle },
  }),
)

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>EMMA API</title>
    <link rel="icon" href="/favicon-emma.svg" />
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/api/docs/page.css" />
  </head>
  <body>
    <main id="docs"></main>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`

/**
 * Calls go to this origin only, with the token of the console in the same browser: it is read for each call (R139,
 * client/src/token-key.ts), so it is never stale, and never written into the page. The viewer takes ten times as long to
 * read the description as OpenAPI 3.1.
 */
const startScript = `SwaggerUIBundle({
  url: '/api/docs/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  requestInterceptor(request) {
    const token = localStorage.getItem('loginToken')
    const isOwn = new URL(request.url, location.href).origin === location.origin
    if (isOwn && token && !request.headers.Authorization) request.headers.Authorization = 'Bearer ' + token
    return request
  },
})
`

const pageStyle = `body { margin: 0; background: #fff; }
.swagger-ui .info { margin: 32px 0 16px; }
@media (prefers-color-scheme: dark) {
  body { background: #fff; filter: invert(0.9) hue-rotate(180deg); }
  html { background: #1a1a1a; }
}
`
