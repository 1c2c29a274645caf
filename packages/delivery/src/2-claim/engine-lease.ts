import { randomUUID } from 'node:crypto'
import type { Pool, Db } from '@emma/db/connection.ts'

/**
 * An engine's identity while it claims rows: a row in `engine`, and a session-level advisory lock on a connection of its
 * own. When the process or its machine dies the lock falls, and everybody can see at once that its rows have no one who
 * knows about them.
 */
export interface EngineLease {
  readonly id: string
  /** False once the connection is gone: nothing may be claimed under this lease any more. */
  readonly isHeld: boolean
  /** Lets go. What is claimed under it, if anything, is then recovered by whoever comes next. */
  release(): Promise<void>
}

/** @throws the driver's error when the database is away */
export async function takeEngineLease(pool: Pool): Promise<EngineLease> {
  const id = randomUUID()
  const client = await pool.connect()
  let isHeld = true
  let isReleased = false
  const drop = () => (isHeld = false)
  client.on('error', drop)
  client.on('end', drop)
  try {
    // A machine that vanishes sends no farewell: its lock falls half a minute later.
    await client.query(
      `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '4', false)`,
    )
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [id])
    // Not before the lock: a row whose lock is free belongs to the dead.
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
      // A second time throws: an engine whose database is still away tries to renew its lease again and again.
      if (isReleased) return
      isReleased = true
      client.release(true)
    },
  }
}

/**
 * Whether an engine is the first of those at work, by their identities: it does what one of them has to do. When it dies
 * the next one is first as soon as its row is gone.
 */
export async function isFirstEngine(db: Db, lease: string): Promise<boolean> {
  const first = await db.selectFrom('engine').select('lease').orderBy('lease').limit(1).executeTakeFirst()
  return first?.lease === lease
}

/** Whether an engine still counts as alive: not when another has found its lock free and settled what it left. */
export async function isAtWork(db: Db, lease: string): Promise<boolean> {
  const found = await db.selectFrom('engine').select('lease').where('lease', '=', lease).executeTakeFirst()
  return found !== undefined
}
