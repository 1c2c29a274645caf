import { setInterval as every } from 'node:timers/promises'
import type { Pool } from '@emma/db/connection.ts'
import type { Logger } from '../logger.ts'

/** One row of role_heartbeat. */
export type Identity = { node: string; role: string; pid: number }

const BEAT = 5_000

/**
 * Updates the role's heartbeat row every five seconds until `stop`, which deletes it. An unavailable database is
 * logged once.
 */
export async function startHeartbeat(pool: Pool, me: Identity, logger: Logger) {
  const stopped = new AbortController()
  await beat(pool, me)
  const beating = keepBeating()

  async function keepBeating(): Promise<void> {
    let missed = false
    try {
      for await (const _ of every(BEAT, undefined, { signal: stopped.signal, ref: false })) {
        missed = await beat(pool, me).then(
          () => false,
          error => {
            if (!missed) logger.warn({ err: error }, 'The database does not answer; retrying')
            return true
          },
        )
      }
    } catch (error) {
      if (!stopped.signal.aborted) throw error
    }
  }

  return {
    async stop(): Promise<void> {
      stopped.abort()
      await beating
      // Without the database the row stays, and expires after a minute.
      await pool
        .query('delete from role_heartbeat where node = $1 and role = $2 and pid = $3', [
          me.node,
          me.role,
          me.pid,
        ])
        .catch(() => {})
    },
  }
}

/**
 * Rows of killed processes: those of this machine and role are deleted after a minute without heartbeat, those of
 * other machines after a day.
 */
async function beat(pool: Pool, me: Identity): Promise<void> {
  await pool.query(
    `with gone as (
       delete from role_heartbeat
       where (node, role, pid) <> ($1, $2, $3)
         and (seen_at < now() - interval '1 day' or (node, role) = ($1, $2) and seen_at < now() - interval '1 minute')
     )
     insert into role_heartbeat (node, role, pid) values ($1, $2, $3)
     on conflict (node, role, pid) do update set seen_at = now()`,
    [me.node, me.role, me.pid],
  )
}
