import type { Pool } from '@emma/db/connection.ts'
import { Gauge, Registry } from 'prom-client'

/** A gauge and its query: the column `value`, and a column per label. */
interface InstallationGauge {
  name: string
  help: string
  labels: readonly string[]
  db: string
}

/** States of campaigns in progress: preparing, running, paused. */
const underWay = '(2, 4, 5)'

const gauges: readonly InstallationGauge[] = [
  {
    name: 'emma_campaigns',
    help: 'Campaigns by state (valid)',
    labels: ['state'],
    db: 'select valid::text as state, count(*) as value from campaign where deleted_at is null group by valid',
  },
  {
    name: 'emma_deliveries',
    help: 'Mails of the campaigns under way by state: outcomes, what waits, and what engines have claimed',
    labels: ['state'],
    db: `select d.state::text as state, count(*) as value
      from campaign c join delivery d using (client_id, campagne_id)
      where c.valid in ${underWay} and c.deleted_at is null group by d.state`,
  },
  {
    name: 'emma_jobs',
    help: 'Jobs in the queue by task and state: waiting (due now), later, failed (given up)',
    labels: ['task', 'state'],
    db: `select task_identifier as task, count(*) as value,
        case when attempts >= max_attempts then 'failed' when run_at > now() then 'later' else 'waiting' end as state
      from graphile_worker.jobs group by 1, 3`,
  },
  {
    name: 'emma_events_lag_seconds',
    help: 'Age of the oldest event that a reader of the log has not seen',
    labels: ['reader'],
    db: `select c.name as reader, coalesce(extract(epoch from now() - oldest.ts), 0)::float as value
      from event_cursor c left join lateral (
        select ts from event where txid > c.txid order by txid, event_id limit 1) oldest on true`,
  },
  {
    name: 'emma_roles_alive',
    help: 'Processes that have given a sign of life in the last 20 seconds',
    labels: ['node', 'role'],
    db: `select node, role as role, count(*) as value from role_heartbeat
      where seen_at > now() - interval '20 seconds' group by node, role`,
  },
]

/** Milliseconds that metrics are cached, so that several scrapers cost no more than one. */
const keptFor = 10_000

/** Metrics of the whole installation from the database, as gauges. Values that cannot be read are omitted. */
export function installationMetrics(pool: Pool): Registry {
  const registry = new Registry()
  for (const { name, help, labels, db } of gauges) {
    let until = 0
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        if (Date.now() < until) return
        until = Date.now() + keptFor
        this.reset()
        const found = await pool.query<Record<string, unknown>>(db).catch(() => ({ rows: [] }))
        for (const row of found.rows)
          this.set(Object.fromEntries(labels.map(label => [label, String(row[label])])), Number(row.value))
      },
    })
  }
  return registry
}
