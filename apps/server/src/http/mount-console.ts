import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EmmaError } from '@emma/contract/errors.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { presentError } from './present-error.ts'

/**
 * The console's files; every path that is no file and not the API's is the console's own (its router decides).
 *
 * @param folder absolute path of the built console; nothing is served while it holds none
 */
export async function mountConsole(app: FastifyInstance, folder: string): Promise<void> {
  // No file has a NUL in its name; the file system would throw.
  app.addHook('onRequest', async request => {
    if (pathOf(request.url).includes('%00')) throw new EmmaError('not_found')
  })
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt)
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      // The build leaves a .br and a .gz beside every file.
      preCompressed: true,
      // The API's paths are nobody's files.
      allowedPath: path => !path.startsWith('/api'),
      setHeaders(reply, path) {
        const isHashed = path.includes('/assets/')
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !request.url.startsWith('/api') && !/\.\w+$/.test(pathOf(request.url))
    if (isPage && isBuilt) return reply.header('cache-control', 'no-cache').sendFile('index.html')
    return presentError(new EmmaError('not_found'), request, reply)
  })
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}
