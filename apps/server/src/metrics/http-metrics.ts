import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

/** Measures response times by route template (never by URL, which callers can invent) and status. */
export function measureHttp(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'emma_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    )
  })
}

/** Counts tracking events of the fast path, which are far below the first bucket of the durations above. */
export function measureTrackingEvents(counts: Readonly<Record<string, number>>, registry: Registry): void {
  const total = new Counter({
    name: 'emma_hits_total',
    help: 'Tracking events (opens and clicks) answered by this process',
    labelNames: ['type'],
    registers: [],
    collect() {
      this.reset()
      for (const [type, count] of Object.entries(counts)) this.inc({ type }, count)
    },
  })
  registry.registerMetric(total)
}
