import { migrate as migrateDatabase } from '@emma/db/migrate.ts'
import { loadConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { openDatabase } from './open-database.ts'

/** `emma migrate`: applies the migrations and exits. */
export async function migrate(): Promise<void> {
  const config = loadConfig()
  const database = await openDatabase(config, createLogger('migrate', 'warn'))
  try {
    const applied = await migrateDatabase(database.url, { log: line => console.log(line) })
    console.log(
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`,
    )
  } finally {
    await database.close()
  }
}
