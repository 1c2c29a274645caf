import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'

/** After so many failures in a row the account rests: a quarter of an hour, twice as long each further time, a day at most. */
const mostFailures = 10
const lockMinutes = 15
const longestLockMinutes = 24 * 60

/** One more failure; with the last one the account is locked. */
export async function countFailure(sql: Sql, id: number): Promise<void> {
  await raw`
    update app_user set
      failed_logins = case when failed_logins + 1 >= ${mostFailures} then 0 else failed_logins + 1 end,
      lockouts = case when failed_logins + 1 >= ${mostFailures} then lockouts + 1 else lockouts end,
      locked_until = case when failed_logins + 1 >= ${mostFailures}
        then now() + make_interval(mins => least(${longestLockMinutes}, ${lockMinutes} * 2 ^ least(lockouts, 10))::int)
        else locked_until end
    where id = ${id}`.execute(sql)
}

/** A login that went well. */
export async function forgetFailures(sql: Sql, id: number): Promise<void> {
  await sql
    .updateTable('app_user')
    .set({ failed_logins: 0, locked_until: null, lockouts: 0 })
    .where('id', '=', id)
    .where(eb => eb.or([eb('failed_logins', '>', 0), eb('lockouts', '>', 0)]))
    .execute()
}
