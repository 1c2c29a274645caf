import { hash } from '@node-rs/argon2'
import { randomInt } from 'node:crypto'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

export type NewAccount = {
  username: string
  email: string
  firstname?: string
  lastname?: string
  /** Made up when not given. */
  password?: string
  /** Sees and may do everything, in every client. */
  superadmin?: boolean
}

/** An account as it was made, with the password in clear for the one time it can be told. */
export type CreatedAccount = { id: number; username: string; password: string }

/** Somebody has this username or address already. */
export class UsernameTakenError extends Error {
  override name = 'UsernameTakenError'
}

/**
 * Makes an account outside of any session: from the command line, or as the very first one.
 *
 * The operator vouches for the address: it counts as confirmed.
 *
 * @throws UsernameTakenError when the username or the address (in any case) is in use
 */
export async function createAccount(db: Db, account: NewAccount): Promise<CreatedAccount> {
  const { username, email, firstname = '', lastname = '', superadmin = false } = account
  const password = account.password ?? makePassword()
  const row = await db
    .insertInto('app_user')
    .values({
      username,
      email,
      firstname,
      lastname,
      superadmin,
      administrator: superadmin,
      email_confirmed_at: new Date().toISOString(),
      // argon2id with the library's settings, which are OWASP's: 19 MiB, 2 passes.
      password_hash: await hash(password),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new UsernameTakenError(`There is an account ${await takenBy(db, username, email)} already.`)
  return { id: row.id, username, password }
}

async function takenBy(db: Db, username: string, email: string): Promise<string> {
  const { rows } = await sql`
    select from app_user where lower(username) = lower(${username}) and deleted_at is null`.execute(db)
  return rows.length > 0 ? `"${username}"` : `with the address ${email}`
}

/** Without letters and digits that look alike: people type it from a terminal. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 16 characters, 92 bits. */
function makePassword(): string {
  return Array.from({ length: 16 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
