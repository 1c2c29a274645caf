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
  /** Process id of the database server. */
  pid: number
  /** Temporary folder, removed by `close`. */
  folder: string
  close(): Promise<void>
}

/** Creates a migrated, empty database with production settings for one benchmark. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-bench-'))
  // As root, the server runs as another user, who needs access.
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
