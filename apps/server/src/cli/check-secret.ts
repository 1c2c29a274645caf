import type { Pool } from '@emma/db/connection.ts'
import type { Config } from '../config.ts'
import { CommandError } from './command-error.ts'

/**
 * Checks that this machine's secret is the one of the database: with another one, no session, tracking link or stored
 * credential could be decrypted. The first start stores the secret's fingerprint in the database.
 * @throws CommandError if the secrets differ
 */
export async function checkSecret(pool: Pool, config: Config): Promise<void> {
  const mine = config.deriveKey('fingerprint').toString('hex')
  await pool.query(
    `insert into setting (name, value) values ('secret_fingerprint', to_jsonb($1::text)) on conflict do nothing`,
    [mine],
  )
  const { rows } = await pool.query(`select value from setting where name = 'secret_fingerprint'`)
  if (rows[0]?.value === mine) return
  throw new CommandError(
    'This machine has another secret key than the database was set up with. Give every machine the same EMMA_SECRET, ' +
      'or copy the file secret.key of the first one into the data folder here.',
  )
}
