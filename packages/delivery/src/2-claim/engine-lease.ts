import { randomUUID } from 'node:crypto'
import type { Pool, Db } from '@emma/db/connection.ts'

/**
 * Identity of an engine that claims rows: a row in `engine`, and a session-level advisory lock on its own connection.
 * When the process or its machine dies, the lock is released, which shows that its rows are orphaned.
 */
export interface EngineLease {
  readonly id: string
  /** False once the connection is lost: nothing may be claimed under this lease any more. */
  readonly isHeld: boolean
  /** Releases the lease. Rows still claimed under it are recovered by another engine. */
  release(): Promise<void>
}

/** @throws the driver's error if the database is unavailable */
export async function takeEngineLease(pool: Pool): Promise<EngineLease> {
  const id = randomUUID()
  const client = await pool.connect()
  let isHeld = true
  let isReleased = false
  const drop = () => (isHeld = false)
  client.on('error', drop)
  client.on('end', drop)
  try {
    // A machine that vanishes does not close its connection: keepalive releases the lock after half a minute.
    await client.query(
      `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '4', false)`,
    )
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [id])
    // After the lock: a row without lock belongs to a dead engine.
    await client.query('insert into engine (lease) values ($1)', [id])
  } catch (error) {
    client.release(true)
    throw error
  }
  return {
    id,
    get isHeld() {
      return isHeld
    },
    async release() {
      isHeld = false
      // Releasing twice throws, and an engine whose database is unavailable retries to renew its lease.
      if (isReleased) return
      isReleased = true
      client.release(true)
    },
  }
}

/**
 * True if an engine is the first of the live ones, by lease: it runs the tasks of a single engine. When it dies, the
 * next one is first as soon as its row is deleted.
 */
export async function isFirstEngine(db: Db, lease: string): Promise<boolean> {
  const first = await db.selectFrom('engine').select('lease').orderBy('lease').limit(1).executeTakeFirst()
  return first?.lease === lease
}

/** True if an engine still counts as alive: no other engine found its lock free and recovered its rows. */
export async function isAtWork(db: Db, lease: string): Promise<boolean> {
  const found = await db.selectFrom('engine').select('lease').where('lease', '=', lease).executeTakeFirst()
  return found !== undefined
}
