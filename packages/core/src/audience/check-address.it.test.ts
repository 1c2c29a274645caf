import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemActor } from '../resource/actor.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../test/audience.ts'
import { addEntries } from './blacklists/blacklist-entries.ts'
import { addInternalEntries, addInternalExcludes } from './blacklists/internal-blacklist.ts'
import { checkAddress } from './check-address.ts'
import { setFrequency } from './contact-frequency.ts'
import { setPause } from './contact-pause.ts'
import { type Datasource, readDatasource } from './datasources/datasource.ts'
import { createMember, unsubscribeMember } from './members/write-member.ts'

/** Why an address gets no mail: every reason, of the own client alone. */

const email = 'Anna@Shop.test'
let audience: TestAudience
let news: Datasource
let anna: { table: Datasource; memberId: number; email: string }

beforeAll(async () => {
  audience = await createTestAudience()
  const { actor, database, scope } = audience
  const { db } = database
  news = await readDatasource(db, scope, await createTestDatasource(audience, [], 'News'))
  const shop = await readDatasource(db, scope, await createTestDatasource(audience, [], 'Shop'))
  const made = await createMember(db, actor, news, { email: email.toLowerCase() })
  anna = { table: news, memberId: Number(made.member_id), email }
  await createMember(db, actor, shop, { email: email.toLowerCase() })
  await unsubscribeMember(db, actor, news, anna.memberId)
})
afterAll(() => audience.database.drop())

const check = (clientId = audience.clientId, actor = audience.actor) =>
  checkAddress(audience.database.db, actor, clientId, email)

async function addList(kind: 'client' | 'campaign', match: string, name: string): Promise<number> {
  const row = await audience.database.db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, kind, match, name })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  return row.blacklist_id
}

test('each datasource has its own reason', async () => {
  const { members } = await check()
  expect(members.map(({ datasource, reason }) => [datasource, reason])).toEqual([
    ['News', 'unsubscribed'],
    ['Shop', null],
  ])
})

test('lists are found by address, domain and digest, with why and until when', async () => {
  const { db } = audience.database
  const { actor, scope } = audience
  const add = async (id: number, value: string, more: object = {}) =>
    addEntries(db, actor, scope, id, { values: [value], ...more })
  await add(await addList('client', 'domain', 'Competitors'), 'shop.test', { reason: 'competitor' })
  await add(await addList('campaign', 'sha256', 'Hashed'), email)
  const expired = await addList('campaign', 'email', 'Old')
  await add(expired, email)
  await sql`update blacklist_entry set expires_at = now() - interval '1 day' where blacklist_id = ${expired}`.execute(
    db,
  )
  const superadmin = { ...actor, superadmin: true }
  const { entries } = await check(audience.clientId, superadmin)
  expect(entries).toMatchObject([
    { kind: 'client', name: 'Competitors', value: 'shop.test', reason: 'competitor', in_force: true },
    { kind: 'campaign', name: 'Hashed', match: 'sha256', in_force: true },
    { kind: 'campaign', name: 'Old', in_force: false },
  ])
  const stranger = await check(audience.clientId, { ...actor, superadmin: false })
  expect(stranger.entries).toMatchObject([{ name: null, reason: null }, { name: null }, { name: null }])
})

test('the internal list tells its reasons to superadmins alone; an exception lifts it', async () => {
  const { db } = audience.database
  const superadmin = { ...systemActor(audience.clientId), superadmin: true }
  await addInternalEntries(db, superadmin, { values: [email], reason: 'spam trap' })
  const internal = async (actor = audience.actor) =>
    (await check(audience.clientId, actor)).entries.find(({ kind }) => kind === 'internal')
  expect(await internal({ ...audience.actor, superadmin: false })).toMatchObject({
    reason: null,
    in_force: true,
  })
  expect(await internal(superadmin)).toMatchObject({ reason: 'spam trap' })
  await addInternalExcludes(db, superadmin, { values: ['shop.test'], client_id: audience.clientId })
  expect(await internal()).toMatchObject({ in_force: false })
  expect((await check(audience.foreign.clientId, audience.foreign.actor)).entries).toMatchObject([
    { kind: 'internal', in_force: true },
  ])
})

test('the choices of the preference page are shown', async () => {
  const { db } = audience.database
  await setFrequency(db, audience.clientId, email, 'week')
  await setPause(db, anna, 4)
  expect(await check()).toMatchObject({ frequency: 'week', paused_until: expect.any(String) })
})

test('another client learns nothing', async () => {
  const { clientId, actor } = audience.foreign
  expect(await check(clientId, actor)).toMatchObject({
    members: [],
    mails: [],
    paused_until: null,
    frequency: 'all',
  })
})
