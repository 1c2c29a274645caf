import type { Pool } from '@emma/db/connection.ts'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Metrics of one role's process: memory, CPU, event loop, garbage collection, and database connections. */
export function processMetrics(role: string, pool: Pool): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ role })
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'emma_database_connections',
    help: 'Connections of this process to the database, by what they do; waiting: calls that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  return registry
}
