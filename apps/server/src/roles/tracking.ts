import fastify from 'fastify'
import { mountPublic } from '../public/mount-public.ts'
import { sendGone } from '../public/send-page.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Opens, clicks, unsubscribes: a port of its own, so that a campaign's readers never slow the console down. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const app = fastify({
    bodyLimit: 10_000,
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    requestTimeout: 30_000,
  })
  app.setNotFoundHandler(sendGone)
  const closePublic = mountPublic({ ...context, app })
  await app.listen({ port: context.config.trackingPort, host: '0.0.0.0' })
  return {
    async stop() {
      await app.close()
      await closePublic()
    },
  }
}
