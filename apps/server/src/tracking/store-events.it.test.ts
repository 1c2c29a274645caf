import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { signToken, tokenKey } from '@emma/mail/token.ts'
import { createTokenReader } from '@emma/mail/token-reader.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { formatEvent, type TrackingEvent } from './tracking-event.ts'
import { openEventSpool } from './event-spool.ts'
import { startEventStore } from './store-events.ts'

const key = tokenKey('a secret of this test')
const logger = pino({ level: 'silent' })
let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const made = mkdtempSync(join(tmpdir(), 'emma-store-'))
  folder = made
  onTestFinished(() => rmSync(made, { recursive: true }))
  await sql`delete from event`.execute(database.db)
  await sql`delete from hit_journal`.execute(database.db)
})

it('stores files of other processes, oldest first, and deletes them', async () => {
  leave(1, line('a'), line('b'))
  leave(2, line('c'), 'a line that was torn by a kill')
  leave(3, 'rubbish\n', line('forged').replace('o', 'c').slice(5), line('d'))
  await store()
  expect(await agents()).toEqual(['a', 'b', 'c', 'd'])
  expect(readdirSync(folder)).toEqual([])
  expect(await sql`select from hit_journal`.execute(database.db)).toMatchObject({ rows: [] })
})

it("continues a killed process's file, and stores nothing twice", async () => {
  const name = leave(1, line('stored'), line('left'))
  await sql`insert into hit_journal (file, position) values (${name}, ${line('stored').length})`.execute(
    database.db,
  )
  await store()
  expect(await agents()).toEqual(['left'])
})

it('stores recent events of a file with a successor at once', async () => {
  const young = { ...hit('young'), at: Date.now() + 800 }
  leave(1, formatEvent(young))
  leave(2, formatEvent({ ...young, userAgent: 'younger' }))
  const running = start()
  await expect.poll(() => readdirSync(folder)).toHaveLength(1)
  await running.finish()
  expect(await agents()).toEqual(['young', 'younger'])
})

it('skips an event that the database rejects, and stores those around it', async () => {
  await sql`alter table event add constraint refusal check (user_agent is distinct from 'refused')`.execute(
    database.db,
  )
  leave(1, line('a'), line('refused'), line('b'))
  await store()
  await sql`alter table event drop constraint refusal`.execute(database.db)
  expect(await agents()).toEqual(['a', 'b'])
})

it('waits for an unavailable database', async () => {
  leave(1, line('a'))
  await sql`alter table event rename to away`.execute(database.db)
  const stored = start()
  await expect.poll(() => stored.errors()).toBeGreaterThan(0)
  await sql`alter table away rename to event`.execute(database.db)
  await stored.finish()
  expect(await agents()).toEqual(['a'])
})

it('keeps what it cannot store', async () => {
  leave(1, line('a'))
  await sql`alter table event rename to away`.execute(database.db)
  await start().finish()
  expect(readdirSync(folder)).toHaveLength(1)
  await sql`alter table away rename to event`.execute(database.db)
  await store()
  expect(await agents()).toEqual(['a'])
})

it('accepts any user agent and address', async () => {
  const journal = await openEventSpool(folder, logger)
  const odd = ['\t\r\n', 'ü\u00a0ÿ', '\\N', 'x'.repeat(2_000), '']
  for (const userAgent of odd) journal.add({ ...hit(userAgent), ip: userAgent })
  await journal.close()
  await store()
  expect(new Set(await agents())).toEqual(new Set(['   ', 'ü\u00a0ÿ', '\\N', 'x'.repeat(512), '']))
})

it('begins a new file with a unique name', async () => {
  const first = await openEventSpool(folder, logger)
  const second = await openEventSpool(folder, logger)
  await Promise.all([first.close(), second.close()])
  const names = readdirSync(folder).toSorted()
  expect(names.map(name => Number(name.slice(0, 10)))).toEqual([1, 2])
})

it.each([
  [8, false],
  [9, true],
])('%i waiting files mean that storing is behind: %s', async (count, isBehind) => {
  for (let number = 1; number <= count; number++) leave(number)
  const journal = await openEventSpool(folder, logger)
  expect(journal.isBehind()).toBe(isBehind)
  await journal.close()
})

function leave(number: number, ...lines: string[]): string {
  const name = `${String(number).padStart(10, '0')}-00000000-0000-4000-8000-00000000000${number}.log`
  writeFileSync(join(folder, name), lines.join(''), 'latin1')
  return name
}

function line(userAgent: string): string {
  return formatEvent(hit(userAgent))
}

function hit(userAgent: string): TrackingEvent {
  const token = signToken(key, { kind: 'campaign', clientId: 1, campaignId: 1, memberId: 1 }, 'tracking')
  const at = Date.now() - 10_000
  return {
    type: 'open',
    token,
    at,
    linkIndex: null,
    ip: '192.0.2.1',
    userAgent,
    method: 'GET',
    isAhead: false,
    isForwarded: false,
  }
}

function start() {
  let errors = 0
  const counting = pino({ level: 'error' }, { write: () => void errors++ })
  const running = startEventStore({
    folder,
    pool: database.pool,
    readToken: createTokenReader(key),
    logger: counting,
  })
  return { ...running, errors: () => errors }
}

function store(): Promise<void> {
  return start().finish()
}

async function agents(): Promise<string[]> {
  const { rows } = await sql<{ agent: string }>`
    select user_agent as agent from event order by event_id`.execute(database.db)
  return rows.map(row => row.agent)
}
