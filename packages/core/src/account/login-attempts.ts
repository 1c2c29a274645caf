import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Username and source address of a login attempt. */
export interface LoginAttempt {
  /** As typed. Unknown usernames count like existing ones. */
  username: string
  /** Source address as rate limits count it: for IPv6 its network. */
  address: string
}

/** The limits that an attempt was counted against: that of username and address, and the others. */
export interface LoginReservation {
  pair: AttemptLimit
  others: AttemptLimit[]
}

/** One limit: the key that attempts count under, and how many may fail within `hours` without a success before a lock. */
interface AttemptLimit {
  name: string
  /** Username of the account that the lock belongs to; null: no account. */
  username: string | null
  most: number
  hours: number
}

/**
 * Duration of the first lock, in minutes. Each further one is twice as long, a day at most. A day after the last lock
 * the duration starts again.
 */
const lockMinutes = 15
const longestLockMinutes = 24 * 60

/**
 * Days after a successful login during which its address is known: from there, failed attempts of other addresses do
 * not lock the account.
 */
const knownDays = 90

/**
 * Counts a login attempt as failed before anything is checked, so that concurrent attempts pass no more often than
 * sequential ones. Limits hold across all servers of the installation and for unknown usernames. Throws `locked`.
 */
export function reserveLogin(db: Db, attempt: LoginAttempt): Promise<LoginReservation> {
  return transaction(db, async tx => {
    const pair = pairLimit(attempt)
    const isKnown = await isKnownAddress(tx, pair)
    await reserve(tx, pair)
    const others = [...(isKnown ? [] : [accountLimit(attempt)]), addressLimit(attempt)]
    for (const limit of others) await reserve(tx, limit)
    return { pair, others }
  })
}

/** Resets the limit of username and address after a successful login, and refunds this attempt to the other limits. */
export async function loginSucceeded(db: Db, { pair, others }: LoginReservation): Promise<void> {
  await sql`
    update login_attempt set failures = 0, lockouts = 0, locked_until = null, succeeded_at = now()
    where key = ${keyOf(pair)}`.execute(db)
  for (const limit of others) await refund(db, limit)
}

/** Refunds an attempt that checked no second factor yet (the password was right, the code is still missing). */
export async function refundLogin(db: Db, { pair, others }: LoginReservation): Promise<void> {
  for (const limit of [pair, ...others]) await refund(db, limit)
}

/** Counts an attempt of a logged-in user to confirm a password or code. Throws `locked`. */
export async function reserveProof(db: Db, userId: number): Promise<void> {
  await reserve(db, proofLimit(userId))
}

/**
 * Refunds a successful confirmation. Earlier failures stay counted: a known password would otherwise allow any number
 * of codes.
 */
export function proofSucceeded(db: Db, userId: number): Promise<void> {
  return refund(db, proofLimit(userId))
}

/** Counts a request for a password link: 20 an hour for one address. False when the limit is exceeded. */
export async function mayRequestLink(db: Db, address: string): Promise<boolean> {
  return count(db, { name: `link\n${address}`, username: null, most: 20, hours: 1 })
}

/** Removes the locks of an account, after a password reset or by an administrator. */
export async function unlockAccount(db: Db, userId: number): Promise<void> {
  await sql`
    update login_attempt set failures = 0, lockouts = 0, locked_until = null
    where user_id = ${userId}`.execute(db)
  await sql`delete from login_attempt where key = ${keyOf(proofLimit(userId))}`.execute(db)
}

/** Latest lock end (ISO 8601) by user id. Accounts that are not locked are missing. */
export async function findLocks(db: Db, userIds: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ user_id: number; until: string }>`
    select user_id, max(locked_until) as until from login_attempt
    where user_id = any(${userIds}::bigint[]) and locked_until > now() group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.until]))
}

/** Deletes counters that no longer limit anything. */
export async function forgetOldAttempts(db: Db): Promise<void> {
  await sql`
    delete from login_attempt
    where since < now() - interval '2 days' and coalesce(locked_until, since) < now() - interval '1 day'
      and coalesce(succeeded_at, since) < now() - make_interval(days => ${knownDays})`.execute(db)
}

function pairLimit({ username, address }: LoginAttempt): AttemptLimit {
  return { name: `login\n${address}\n${username}`, username, most: 10, hours: 24 }
}

function accountLimit({ username }: LoginAttempt): AttemptLimit {
  return { name: `account\n${username}`, username, most: 100, hours: 24 }
}

function addressLimit({ address }: LoginAttempt): AttemptLimit {
  return { name: `address\n${address}`, username: null, most: 100, hours: 1 }
}

function proofLimit(userId: number): AttemptLimit {
  return { name: `proof\n${userId}`, username: null, most: 10, hours: 24 }
}

/** Lower-cased by the database, as the lookup of accounts is. */
function keyOf({ name }: AttemptLimit) {
  return sql`sha256(convert_to(lower(${name}), 'UTF8'))`
}

async function isKnownAddress(db: Db, pair: AttemptLimit): Promise<boolean> {
  const { rows } = await sql`
    select from login_attempt
    where key = ${keyOf(pair)} and succeeded_at > now() - make_interval(days => ${knownDays})`.execute(db)
  return rows.length > 0
}

async function reserve(db: Db, limit: AttemptLimit): Promise<void> {
  if (!(await count(db, limit))) throw new EmmaError('locked')
}

/**
 * Counts one attempt unless a lock is active. The attempt that reaches the limit still passes and locks the following
 * ones.
 */
async function count(db: Db, limit: AttemptLimit): Promise<boolean> {
  const { username, most, hours } = limit
  const isOver = sql`(a.failures >= ${most} or a.since < now() - make_interval(hours => ${hours}))`
  const isLast = sql`(not ${isOver} and a.failures + 1 >= ${most})`
  const lockouts = sql`case when a.locked_until > now() - interval '1 day' then a.lockouts else 0 end`
  const { rows } = await sql`
    insert into login_attempt as a (key, user_id, failures)
    values (${keyOf(limit)},
      (select id from app_user where lower(username) = lower(${username}) and deleted_at is null), 1)
    on conflict (key) do update set
      user_id = excluded.user_id,
      failures = case when ${isOver} then 1 else a.failures + 1 end,
      since = case when ${isOver} then now() else a.since end,
      lockouts = case when ${isLast} then ${lockouts} + 1 else ${lockouts} end,
      locked_until = case when ${isLast}
        then now() + make_interval(mins => least(${longestLockMinutes}, ${lockMinutes} * 2 ^ least(${lockouts}, 10))::int)
        else a.locked_until end
    where a.locked_until is null or a.locked_until <= now()
    returning a.key`.execute(db)
  return rows.length > 0
}

async function refund(db: Db, limit: AttemptLimit): Promise<void> {
  const isLast = sql`failures = ${limit.most}`
  await sql`
    update login_attempt set
      failures = greatest(failures - 1, 0),
      lockouts = case when ${isLast} then greatest(lockouts - 1, 0) else lockouts end,
      locked_until = case when ${isLast} then null else locked_until end
    where key = ${keyOf(limit)}`.execute(db)
}
