import { createApi } from '../http/create-api.ts'
import { limitConnections } from '../network/limit-connections.ts'
import { API_LIMITS } from '../network/limits.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Console, API and socket on one port. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const app = await createApi(context)
  const { host, port, isTrustedProxy } = context.config
  limitConnections(app.server, API_LIMITS.connections, { isTrustedProxy })
  await app.listen({ port, host })
  return { stop: () => app.close() }
}
