import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { hash, verify } from '@node-rs/argon2'
import { sql as raw } from 'kysely'
import { openSession, type Origin } from './sessions.ts'

/** After so many failures in a row the account rests for `lockMinutes`. */
const mostFailures = 10
const lockMinutes = 15

/** A hash to check against when there is no such person: the answer takes as long, so names cannot be fished. */
const nobody = hash('nobody has this password')

/**
 * Checks name (username or e-mail, in any case) and password, opens a session, answers its token.
 * Throws `wrong_login` whatever was wrong, `locked` after too many failures.
 */
export async function logIn(
  sql: Sql,
  key: Buffer,
  login: { username: string; password: string },
  origin: Origin,
): Promise<string> {
  const person = await sql
    .selectFrom('app_user')
    .select(['id', 'password_hash', 'locked_until', 'active'])
    .where(raw<boolean>`lower(username) = lower(${login.username})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const fits = await verify(person?.password_hash ?? (await nobody), login.password)
  if (!person?.active || !person.password_hash) throw new EmmaError('wrong_login')
  if (person.locked_until !== null && Date.parse(person.locked_until) > Date.now())
    throw new EmmaError('locked')
  if (!fits) {
    await countFailure(sql, person.id)
    throw new EmmaError('wrong_login')
  }
  await sql
    .updateTable('app_user')
    .set({ failed_logins: 0, locked_until: null })
    .where('id', '=', person.id)
    .where('failed_logins', '>', 0)
    .execute()
  return openSession(sql, key, person.id, origin)
}

async function countFailure(sql: Sql, id: number): Promise<void> {
  await raw`
    update app_user set
      failed_logins = case when failed_logins + 1 >= ${mostFailures} then 0 else failed_logins + 1 end,
      locked_until = case when failed_logins + 1 >= ${mostFailures}
        then now() + make_interval(mins => ${lockMinutes}) else locked_until end
    where id = ${id}`.execute(sql)
}
