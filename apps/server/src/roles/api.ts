import { createApi } from '../http/create-api.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Console, API and socket on one port. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const app = await createApi(context)
  await app.listen({ port: context.config.port, host: '0.0.0.0' })
  return { stop: () => app.close() }
}
