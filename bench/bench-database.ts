import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool, createDb, type Pool, type Db } from '@emma/db/connection.ts'
import { startEmbeddedServer } from '@emma/db/embedded-server.ts'
import { migrate } from '@emma/db/migrate.ts'

export interface BenchDatabase {
  url: string
  db: Db
  pool: Pool
  /** Of the database server. */
  pid: number
  /** A folder that is removed at the end. */
  folder: string
  close(): Promise<void>
}

/** A fresh, migrated database with the settings of production, for one benchmark. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-bench-'))
  // The database's own user has to get in, when this runs as root.
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({ folder: join(folder, 'postgres'), secret: 'bench' })
  await migrate(server.url)
  const pool = createPool(server.url, { statementTimeout: 0, applicationName: 'emma bench' })
  return {
    url: server.url,
    db: createDb(pool),
    pool,
    pid: server.pid,
    folder,
    async close() {
      await pool.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
