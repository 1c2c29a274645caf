import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addCampaign } from '@emma/core/test/tenant.ts'
import { countLedger, validOf } from '../test/engine.ts'
import { insist, type KillLab, openKillLab, type Receipt } from '../test/kill-lab.ts'

/** All except the last one, whose messages break the connection after the final dot. */
const SOUND = 600
const BROKEN = 30
const EMAILS = Array.from({ length: SOUND + BROKEN }, (_, n) => `${kindOf(n)}-${n}@web.test`)
const HOUR = 3_600_000

let lab: KillLab
let soundList: number
beforeAll(async () => {
  lab = await openKillLab({ emails: EMAILS, connections: 4, pause: 8 })
  soundList = await addSoundList(lab)
})
afterAll(() => lab?.stop())
afterEach(async () => {
  while (lab.engines[0]) await lab.killEngine(lab.engines[0])
})

describe('a receiver', () => {
  test('that closes the connection after the final dot leaves only that message unknown', async () => {
    await lab.startEngine()
    const left = await start({}, lab.tenant.listId)
    await isThrough(left)
    const copies = copiesOf(left)
    for (const [email, state] of await statesOf(left)) {
      const kind = email.split('-')[0] ?? ''
      const expected = { drop: ['unknown', 1], lost: ['unknown', 0] }[kind] ?? ['sent', 1]
      expect([email, state, copies.get(email) ?? 0]).toEqual([email, ...expected])
    }

    // Resent on purpose: only unknown messages may be duplicates.
    const again = await start({ unknown_policy: 'resend' }, lab.tenant.listId)
    await isThrough(again)
    const states = await statesOf(again)
    for (const [email, count] of copiesOf(again)) {
      expect(count).toBeLessThanOrEqual(email.startsWith('drop') ? 3 : 1)
      expect(states.get(email)).toBe(email.startsWith('drop') ? 'unknown' : 'sent')
    }
    expect(copiesOf(again).size).toBe(SOUND + BROKEN / 2)
  })

  test('that freezes with open connections causes no loss, and a kill meanwhile only affects messages in flight', async () => {
    const engine = await lab.startEngine()
    const id = await start()
    await hasSent(id, 100)
    process.kill(lab.sinkPid, 'SIGSTOP')
    await sleep(500)
    process.kill(lab.sinkPid, 'SIGCONT')
    await hasSent(id, 250)
    process.kill(lab.sinkPid, 'SIGSTOP')
    await lab.killEngine(engine)
    await lab.startEngine()
    await lab.settled()
    const { unknown = 0 } = await countLedger(lab.db, id)
    expect(unknown).toBeLessThanOrEqual(lab.capacity)
    process.kill(lab.sinkPid, 'SIGCONT')
    await isThrough(id)
    await addsUp(id, unknown)
  })
})

test('a machine that hangs until it is declared dead sends nothing when it wakes up', async () => {
  const hung = await lab.startEngine()
  await lab.settled()
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks where locktype = 'advisory' and granted and database = (
      select oid from pg_database where datname = current_database())`.execute(lab.db)
  const id = await start()
  await hasSent(id, 100)
  hung.kill('SIGSTOP')
  // Like keepalive: the lease's connection is closed, the others stay open.
  for (const backend of rows) await sql`select pg_terminate_backend(${backend.pid})`.execute(lab.db)
  await lab.startEngine()
  await insist(async () => (await openOf(id)) === 0)
  const { unknown = 0 } = await countLedger(lab.db, id)
  expect(unknown).toBeLessThanOrEqual(lab.capacity)
  hung.kill('SIGCONT')
  await isThrough(id)
  await lab.settled()
  await addsUp(id, unknown)
})

describe('the database', () => {
  test('may fail over, in order, at once or killed, without unknown messages', async () => {
    await Promise.all([lab.startEngine(), lab.startEngine()])
    const id = await start()
    for (const [index, signal] of (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const).entries()) {
      await hasSent(id, 50 + index * 100)
      await lab.killDatabase(signal)
      await lab.settled()
    }
    await isThrough(id)
    await addsUp(id, 0)
    expect(await countLedger(lab.db, id)).toEqual({ sent: SOUND })
  })

  test('may fail over while a campaign resends unknown messages: it waits, without duplicates', async () => {
    await Promise.all([lab.startEngine(0, 20), lab.startEngine(0, 20)])
    const id = await start({ unknown_policy: 'resend' })
    for (const count of [50, 250]) {
      await hasSent(id, count)
      await lab.killDatabase('SIGKILL')
      await lab.settled()
    }
    await isThrough(id)
    await addsUp(id, 0)
    expect(await countLedger(lab.db, id)).toEqual({ sent: SOUND })
  })

  test('that reports a full disk stops sending, which resumes when there is space', async () => {
    await lab.startEngine()
    const id = await start(SLOWLY)
    await hasSent(id, 100)
    await sql`
      create function refuse_for_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
      lab.db,
    )
    await sql`
      create trigger full_disk before insert on engine_journal for each statement execute function refuse_for_room()`.execute(
      lab.db,
    )
    await isQuiet(lab)
    const halted = copiesOf(id).size
    expect(halted).toBeLessThan(SOUND)
    await sql`drop function refuse_for_room cascade`.execute(lab.db)
    await hurry(lab, id)
    await isThrough(id)
    await addsUp(id, 0)
  })

  test.runIf(mayMount())('whose disk is really full recovers with every outcome', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'emma-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=0755', 'tmpfs', disk])
    onTestFinished(() => {
      execFileSync('umount', ['-l', disk])
      rmSync(disk, { recursive: true })
    })
    const small = await openKillLab({
      emails: EMAILS.slice(0, SOUND),
      connections: 4,
      pause: 8,
      databaseFolder: join(disk, 'postgres'),
    })
    onTestFinished(() => small.stop(), 60_000)
    await small.startEngine()
    const name = 'disk'
    const { campaignId } = await addCampaign(small.tenant, {
      name,
      fromadr: `${name}@sender.test`,
      ...SLOWLY,
    })
    await insist(async () => ((await countLedger(small.db, campaignId)).sent ?? 0) > 50)
    const ballast = join(disk, 'ballast')
    // PostgreSQL may fill preallocated space; a few thousand rows more make it allocate.
    fill(ballast)
    await insist(async () => (await isRefused(small)) || (await isFinished(small, campaignId)))
    await isQuiet(small)
    receipts.push(...small.readLog())
    expect(receipts.filter(line => line.from === name).length).toBeLessThan(SOUND)
    rmSync(ballast)
    await hurry(small, campaignId)
    await insist(() => isFinished(small, campaignId))
    await small.settled()
    receipts.push(...small.readLog())
    const took = receipts.filter(line => line.from === name && line.what === 'accepted').map(line => line.to)
    expect(new Set(took).size).toBe(took.length)
    expect(took.length).toBe(SOUND)
    expect(await countLedger(small.db, campaignId)).toEqual({ sent: SOUND })
  })
})

describe("the database's clock counts", () => {
  test('when an engine’s clock jumps a day ahead and two back, throttle and retries are unaffected', async () => {
    const engine = await lab.startEngine()
    const id = await start({ throttle: 6_000, throttle_unit: 'minute' })
    await hasSent(id, 50)
    engine.send(24 * HOUR)
    await hasSent(id, 300)
    engine.send(-48 * HOUR)
    await isThrough(id)
    await addsUp(id, 0)
    const { rows } = await sql<{ seconds: number; astray: number }>`
      select extract(epoch from max(claimed_at) - min(claimed_at))::float8 as seconds,
        count(*) filter (where claimed_at > now() or recorded_at > now() or claimed_at < now() - interval '1 hour'
          or due_at > now() + interval '1 hour') as astray
      from delivery where campagne_id = ${id}`.execute(lab.db)
    // 100 a second, and a full bucket of one second at the start.
    expect(rows[0]?.seconds).toBeGreaterThan((SOUND - 2 * 100) / 100)
    expect(rows[0]?.astray).toBe(0)
  })

  test('two machines an hour off in both directions start a schedule at its time and share it', async () => {
    await Promise.all([lab.startEngine(HOUR), lab.startEngine(-HOUR)])
    const { rows } = await sql<{ at: string }>`select now() + interval '1.5 seconds' as at`.execute(lab.db)
    const startdate = rows[0]?.at ?? ''
    // Slow enough to leave something for the second one.
    const id = await start({
      valid: campaignState.scheduled,
      startdate,
      throttle: 6_000,
      throttle_unit: 'minute',
    })
    await isThrough(id)
    await addsUp(id, 0)
    const { rows: claims } = await sql<{ early: number; late: number; leases: number }>`
      select count(*) filter (where claimed_at < ${startdate}) as early,
        count(*) filter (where claimed_at > now()) as late, count(distinct lease) as leases
      from delivery where campagne_id = ${id}`.execute(lab.db)
    expect(claims).toEqual([{ early: 0, late: 0, leases: 2 }])
  })
})

/** Slow enough for the events of the test to happen while it is sending. */
const SLOWLY = { throttle: 3_000, throttle_unit: 'minute' }

/** Removes that throttle once the database is back. */
async function hurry({ db }: KillLab, id: number): Promise<void> {
  await insist(async () => {
    await db.updateTable('campaign').set({ throttle: 0 }).where('campagne_id', '=', id).execute()
    return true
  })
}

type Fields = NonNullable<Parameters<typeof addCampaign>[1]>

/** By From address, which the receiver logs. */
const names = new Map<number, string>()
const receipts: Receipt[] = []

async function start(fields: Fields = {}, listId = soundList): Promise<number> {
  const name = `k${names.size}`
  const tenant = { ...lab.tenant, listId }
  const { campaignId } = await addCampaign(tenant, { name, fromadr: `${name}@sender.test`, ...fields })
  names.set(campaignId, name)
  return campaignId
}

async function addSoundList({ tenant, db }: KillLab): Promise<number> {
  const { clientId: client_id, memberTableId: member_table_id } = tenant
  const list = { client_id, member_table_id, name: `<=${SOUND}`, include_unsubscribed: true }
  const { list_id } = await db.insertInto('list').values(list).returning('list_id').executeTakeFirstOrThrow()
  return list_id
}

/**
 * Compares the ledger with the receiver's log: no duplicates, no losses, and a maximum of unknown rows. An engine
 * without database reports its outcomes at the next attempt, which is later after a longer outage.
 */
async function addsUp(id: number, mostUnknown: number): Promise<void> {
  await insist(async () => {
    const { sent = 0, unknown = 0 } = await countLedger(lab.db, id)
    return sent + unknown === SOUND && unknown <= mostUnknown
  })
  const copies = copiesOf(id)
  const states = await statesOf(id)
  expect(states.size).toBe(SOUND)
  expect([...copies].filter(([, count]) => count > 1)).toEqual([])
  expect([...states].filter(([, state]) => state !== 'sent' && state !== 'unknown')).toEqual([])
  expect([...states].filter(([email, state]) => state === 'sent' && !copies.has(email))).toEqual([])
  const unknown = [...states].filter(([, state]) => state === 'unknown')
  expect(unknown.length).toBeLessThanOrEqual(mostUnknown)
}

function copiesOf(id: number): Map<string, number> {
  receipts.push(...lab.readLog())
  const copies = new Map<string, number>()
  for (const { from, to, what } of receipts)
    if (from === names.get(id) && what === 'accepted') copies.set(to, (copies.get(to) ?? 0) + 1)
  return copies
}

async function statesOf(id: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ email: string; state: string }>`
    select email, state from delivery where campagne_id = ${id}`.execute(lab.db)
  return new Map(rows.map(row => [row.email, row.state]))
}

async function hasSent(id: number, count: number): Promise<void> {
  await insist(async () => ((await countLedger(lab.db, id)).sent ?? 0) >= count)
}

async function openOf(id: number): Promise<number> {
  const { pending = 0, deferred = 0, claimed = 0, ...done } = await countLedger(lab.db, id)
  return Object.keys(done).length === 0 ? 1 : pending + deferred + claimed
}

/** Finished, with all outcomes in the ledger. */
async function isThrough(id: number): Promise<void> {
  await insist(() => isFinished(lab, id))
  await isQuiet(lab)
}

async function isFinished({ db }: KillLab, id: number): Promise<boolean> {
  return (await validOf(db, id)) === campaignState.finished
}

/** Nothing arrives for a second. */
async function isQuiet(of: KillLab): Promise<void> {
  await insist(async () => {
    await sleep(1_000)
    const fresh = of.readLog()
    receipts.push(...fresh)
    return fresh.length === 0
  })
}

async function isRefused({ db }: KillLab): Promise<boolean> {
  try {
    await sql`create table filler as select repeat('x', 500) as text from generate_series(1, 50000)`.execute(
      db,
    )
    await sql`drop table filler`.execute(db)
    return false
  } catch {
    return true
  }
}

function fill(file: string): void {
  const ballast = openSync(file, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    for (;;) writeSync(ballast, block)
  } catch {
    // The disk is full on purpose.
  } finally {
    closeSync(ballast)
  }
}

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'emma-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function kindOf(n: number): string {
  if (n >= SOUND) return n % 2 === 0 ? 'drop' : 'lost'
  return n % 50 === 25 ? 'later' : 'ok'
}
