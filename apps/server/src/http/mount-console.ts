import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EmmaError } from '@emma/contract/errors.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { presentError } from './present-error.ts'

/**
 * Serves the console's files; every other path outside the API serves its index page, whose router decides.
 * @param folder absolute path of the built console; nothing is served if it has no files
 */
export async function mountConsole(app: FastifyInstance, folder: string): Promise<void> {
  // The file system throws for a NUL in a name.
  app.addHook('onRequest', async request => {
    if (pathOf(request.url).includes('%00')) throw new EmmaError('not_found')
  })
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt)
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      // The build creates a .br and a .gz for every file.
      preCompressed: true,
      // Paths of the API are never files.
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
