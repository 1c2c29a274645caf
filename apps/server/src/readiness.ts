import { statfsSync } from 'node:fs'
import type { Pool } from '@emma/db/connection.ts'
import type { Config } from './config.ts'

/** Response of /ready: ready if all checks are ok. */
export type Readiness = { ready: boolean; checks: Record<'database' | 'engine' | 'disk', string> }

/** Seconds without heartbeat after which an engine counts as dead (four missed beats). */
const SILENT_ENGINE = 20

/** Free bytes below which PostgreSQL is about to stop. */
const LEAST_DISK = 200 * 1024 * 1024

/**
 * Checks whether this installation is operational: the database responds, an engine is alive on some machine, the
 * disk is not full. Each check is `ok`, or a description of the fault.
 */
export async function readReadiness(pool: Pool, config: Config): Promise<Readiness> {
  const checks = { ...(await askDatabase(pool)), disk: checkDisk(config.dataFolder) }
  return { ready: Object.values(checks).every(words => words === 'ok'), checks }
}

async function askDatabase(pool: Pool): Promise<{ database: string; engine: string }> {
  try {
    const { rows } = await pool.query(
      `select count(*) > 0 as alive from role_heartbeat
       where role = 'engine' and seen_at > now() - make_interval(secs => $1)`,
      [SILENT_ENGINE],
    )
    return { database: 'ok', engine: rows[0].alive ? 'ok' : 'no engine has given a sign of life' }
  } catch {
    // The log has the reason; this response is public.
    return { database: 'does not answer', engine: 'unknown without the database' }
  }
}

function checkDisk(folder: string): string {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > LEAST_DISK ? 'ok' : 'almost full'
}
