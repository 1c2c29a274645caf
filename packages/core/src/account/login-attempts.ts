import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Whose password or code is tried, and from where. */
export interface LoginAttempt {
  /** As typed: names that nobody has are counted like those of accounts. */
  username: string
  /** What limits count as one address: for IPv6 a network. */
  address: string
}

/** What an attempt was counted under: account and address, and the others. */
export interface LoginReservation {
  pair: AttemptLimit
  others: AttemptLimit[]
}

/** What attempts are counted under, and how many may fail within `hours`, with none that succeeds, before a lock. */
interface AttemptLimit {
  name: string
  /** Whose lock it is; null: nobody's. */
  username: string | null
  most: number
  hours: number
}

/** The first lock; each further one is twice as long, a day at most. A day after the last one the count starts again. */
const lockMinutes = 15
const longestLockMinutes = 24 * 60

/** From an address where the account logged in within so many days, attempts from elsewhere do not lock it out. */
const knownDays = 90

/**
 * Counts an attempt to log in as failed before anything is checked, so that of many at once no more pass than of as many
 * in a row. Limits hold for all servers of the installation, and for names that nobody has. Throws `locked`.
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

/** The login succeeded: its account and address start again, the other limits get this attempt back. */
export async function loginSucceeded(db: Db, { pair, others }: LoginReservation): Promise<void> {
  await sql`
    update login_attempt set failures = 0, lockouts = 0, locked_until = null, succeeded_at = now()
    where key = ${keyOf(pair)}`.execute(db)
  for (const limit of others) await refund(db, limit)
}

/** Nothing was tried yet (the password was right, the code is still to come): the attempt does not count. */
export async function refundLogin(db: Db, { pair, others }: LoginReservation): Promise<void> {
  for (const limit of [pair, ...others]) await refund(db, limit)
}

/** Counts a password or code that somebody who is logged in proves themselves with. Throws `locked`. */
export async function reserveProof(db: Db, userId: number): Promise<void> {
  await reserve(db, proofLimit(userId))
}

/** The proof was right: it does not count. Wrong ones before it do, or a known password would allow any number of codes. */
export function proofSucceeded(db: Db, userId: number): Promise<void> {
  return refund(db, proofLimit(userId))
}

/** Requests for password links from one address: 20 an hour. False when there were too many. */
export async function mayRequestLink(db: Db, address: string): Promise<boolean> {
  return count(db, { name: `link\n${address}`, username: null, most: 20, hours: 1 })
}

/** Ends the locks of an account: after a password link, or by somebody who manages it. */
export async function unlockAccount(db: Db, userId: number): Promise<void> {
  await sql`
    update login_attempt set failures = 0, lockouts = 0, locked_until = null
    where user_id = ${userId}`.execute(db)
  await sql`delete from login_attempt where key = ${keyOf(proofLimit(userId))}`.execute(db)
}

/** Until when accounts are locked, for one address at least. Accounts that are not locked are missing. */
export async function findLocks(db: Db, userIds: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ user_id: number; until: string }>`
    select user_id, max(locked_until) as until from login_attempt
    where user_id = any(${userIds}::bigint[]) and locked_until > now() group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.until]))
}

/** Counts that no longer limit anything. */
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

/** In the database's lower case, which is the one that accounts are found by. */
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

/** Counts one more, unless a lock is on. The attempt that reaches the limit still passes, and locks those after it. */
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
