import { sql } from 'kysely'
import { createDb, createPool, type Db } from '../connection.ts'
import type { TestDatabase } from './database.ts'

export interface VirtualClock {
  /** Its statements have the virtual time as now(). */
  db: Db
  /** Sets the time, at which the clock stands. */
  set(at: Date): Promise<void>
  end(): Promise<void>
}

/** Connections to a test database whose now() is a time set by the test: a function that is found before the built-in. */
export async function openVirtualClock(database: TestDatabase): Promise<VirtualClock> {
  await sql`create schema clock`.execute(database.db)
  await sql`create table clock.time (at timestamptz not null)`.execute(database.db)
  await sql`insert into clock.time values (now())`.execute(database.db)
  await sql`create function clock.now() returns timestamptz language sql stable as 'select at from clock.time'`.execute(
    database.db,
  )
  const url = new URL(database.url)
  url.searchParams.set('options', '-c TimeZone=UTC -c search_path=clock,public,pg_catalog')
  const pool = createPool(url.href, { applicationName: 'emma virtual clock' })
  const db = createDb(pool)
  return {
    db,
    async set(at) {
      await sql`update clock.time set at = ${at}`.execute(db)
    },
    end: () => pool.end(),
  }
}
