import { readReadiness } from '../readiness.ts'
import type { Http } from './http.ts'

/** `/health`: this process responds and reaches its database. `/ready`: the installation is operational. */
export function mountHealth({ app, pool, config }: Http): void {
  app.get('/health', async (_request, reply) => {
    const { checks } = await readReadiness(pool, config)
    const healthy = checks.database === 'ok'
    return reply.status(healthy ? 200 : 503).send({ status: healthy ? 'ok' : 'failing', checks })
  })
  app.get('/ready', async (_request, reply) => {
    const { ready, checks } = await readReadiness(pool, config)
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
}
