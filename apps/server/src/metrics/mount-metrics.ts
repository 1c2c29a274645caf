import { createHash, timingSafeEqual } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { AggregatorRegistry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Http } from '../http/http.ts'
import { installationMetrics } from './installation-metrics.ts'
import { readRoleMetrics } from './metrics-socket.ts'

/**
 * Mounts `/metrics` in Prometheus format: every role of this machine, and the installation as a whole. Needs
 * EMMA_METRICS_TOKEN as bearer token; without one configured, only for this machine, and not through a proxy.
 */
export function mountMetrics({ app, config, pool }: Http): void {
  const installation = installationMetrics(pool)
  app.get(
    '/metrics',
    { config: { rateLimit: { max: 120, timeWindow: '1 minute' } } },
    async (request, reply) => {
      if (!mayRead(config, request)) throw new EmmaError('not_found')
      const metrics = [...(await readRoleMetrics(config)), await installation.getMetricsAsJSON()]
      return reply.type(installation.contentType).send(await AggregatorRegistry.aggregate(metrics).metrics())
    },
  )
}

const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

function mayRead({ metricsToken }: Config, { headers, socket }: FastifyRequest): boolean {
  if (metricsToken !== undefined) return isSame(headers.authorization ?? '', `Bearer ${metricsToken}`)
  const isForwarded = forwarding.some(name => headers[name] !== undefined)
  const { remoteAddress = '' } = socket
  return !isForwarded && ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
}

/** Constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
