import { createServer } from 'node:http'
import { once } from 'node:events'
import { readReadiness } from '../readiness.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Answers whether the house is open. */
export async function start({ config, pool }: RoleContext): Promise<RunningRole> {
  const server = createServer(async (request, response) => {
    const { ready, checks } = await readReadiness(pool, config)
    const status = request.url === '/ready' ? (ready ? 200 : 503) : 404
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(checks))
  })
  server.listen(config.port)
  await once(server, 'listening')
  return {
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
