import fastify from 'fastify'
import { mountEspWebhooks } from '../public/esp-webhooks.ts'
import { mountPublic } from '../public/mount-public.ts'
import { sendGone } from '../public/send-page.ts'
import { measureHttp } from '../metrics/http-metrics.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Opens, clicks, unsubscribes: a port of its own, so that a campaign's readers never slow the console down. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const app = fastify({
    bodyLimit: 10_000,
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    requestTimeout: 30_000,
  })
  if (context.metrics) measureHttp(app, context.metrics)
  app.setNotFoundHandler(sendGone)
  const closePublic = mountPublic({ ...context, app })
  mountEspWebhooks({ ...context, app })
  await app.listen({ port: context.config.trackingPort, host: '0.0.0.0' })
  return {
    async stop() {
      await app.close()
      await closePublic()
    },
  }
}
