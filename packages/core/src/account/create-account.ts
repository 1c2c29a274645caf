import { hash } from '@node-rs/argon2'
import { randomInt } from 'node:crypto'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

export type NewAccount = {
  username: string
  email: string
  firstname?: string
  lastname?: string
  /** Generated when omitted. */
  password?: string
  /** Has all permissions in every client. */
  superadmin?: boolean
}

/** A created account with its password in clear text, which is not available later. */
export type CreatedAccount = { id: number; username: string; password: string }

/** The username or address is in use. */
export class UsernameTakenError extends Error {
  override name = 'UsernameTakenError'
}

/**
 * Creates an account outside of any session: from the command line, or the first one of an installation. The operator
 * vouches for the address, so it counts as confirmed.
 *
 * @throws UsernameTakenError when the username or the address (case-insensitive) is in use
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
      // argon2id with the library's default settings, which are OWASP's: 19 MiB, 2 passes.
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

/** Without letters and digits that look alike, as people retype passwords from a terminal. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 16 characters, 92 bits. */
function makePassword(): string {
  return Array.from({ length: 16 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
