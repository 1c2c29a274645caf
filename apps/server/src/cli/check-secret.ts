import type { Pool } from '@emma/db/connection.ts'
import type { Config } from '../config.ts'
import { CommandError } from './command-error.ts'

/**
 * Machines that share a database must share the secret: with another one, nobody's session, tracking link or stored
 * credential could be read. The first start leaves the secret's fingerprint in the database.
 *
 * @throws CommandError when this machine's secret is another one
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
