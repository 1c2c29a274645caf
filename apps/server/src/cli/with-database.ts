import { createPool, createDb, type Db } from '@emma/db/connection.ts'
import { migrate } from '@emma/db/migrate.ts'
import { type Config, loadConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { openDatabase } from './open-database.ts'

/** Runs a command on the migrated database of the installation, whether EMMA is running or not. */
export async function withDatabase<T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const database = await openDatabase(config, createLogger('user', 'warn'))
  const pool = createPool(database.url, { max: 1 })
  try {
    await migrate(database.url)
    return await work(createDb(pool), config)
  } finally {
    await pool.end()
    await database.close()
  }
}
