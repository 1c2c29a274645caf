import { campaignState } from '@emma/contract/campaign-states.ts'
import { requestConfirmation } from '@emma/core/audience/double-opt-in.ts'
import { queueProcessMail } from '@emma/core/content/queue-process-mail.ts'
import { addCampaign, createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { transaction } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { verifyToken } from '@emma/mail/token.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { resolveUnknown } from '../5-record/resolve-unknown.ts'
import { startLab, TEST_TOKEN_KEY, testEngine, testExpansion, type TestLab, validOf } from '../test/engine.ts'
import type { Engine } from './engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant

const EMAILS = ['ann', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal', 'ina'].map(
  name => `${name}@gmail.test`,
)

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, EMAILS)
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port)
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

function table() {
  return { client_id: tenant.clientId, member_table_id: tenant.memberTableId }
}

async function idOf(email: string): Promise<number> {
  const { rows } = await sql<{ member_id: number }>`
    select member_id from ${sql.id('members', `t${tenant.memberTableId}`)} where email = ${email}`.execute(
    database.db,
  )
  return rows[0]?.member_id ?? 0
}

async function setMember(email: string, change: ReturnType<typeof sql>): Promise<void> {
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set ${change} where email = ${email}`.execute(
    database.db,
  )
}

/** States of the ledger rows of a member, in order. */
async function ledger(email: string) {
  const { rows } = await sql<{ state: string; skip_reason: string | null; process: string }>`
    select d.state::text, d.skip_reason::text, p.process
    from process_mail as p join delivery as d using (client_id, campagne_id, member_id)
    where p.member_id = ${await idOf(email)} order by p.process_mail_id`.execute(database.db)
  return rows.map(row => [row.process, row.skip_reason ?? row.state])
}

function received(email: string) {
  return openMailboxes(lab.folder)
    .listMessages({ limit: 500 })
    .rows.filter(row => row.recipient === email)
}

function unfinished() {
  return database.db.selectFrom('campaign').select('campagne_id').where('valid', '<>', 3).execute()
}

const welcome = { process: 'welcome', lang: 'en' } as const

function addText(process: string): Promise<unknown> {
  return database.db
    .insertInto('pmt')
    .values({
      client_id: tenant.clientId,
      name: process,
      process,
      lang: 'en',
      subject: `About ${process}, {{ member.firstname }}`,
      body_long: '<p>{{ client.imprint }} <a href="{{ link.unsubscribe }}">x</a></p>',
      is_default: true,
    })
    .execute()
}

describe('process mails', () => {
  it('R190 a confirmation request arrives signed, with a link that only confirms', async () => {
    const memberId = await idOf('ann@gmail.test')
    await requestConfirmation(database.db, { table: table(), memberId, source: 'form', isNew: true })
    await expect.poll(() => received('ann@gmail.test').length).toBe(1)
    const [row] = received('ann@gmail.test')
    expect(row?.verified).toBe('pass')
    const message = await openMailboxes(lab.folder).getMessage(row?.id ?? 0)
    expect(message?.subject).toBe('Please confirm your subscription')
    const headers = new Map(message?.headers.map(({ name, value }) => [name.toLowerCase(), value]))
    expect(headers.get('from')).toContain(`no-reply@${SENDER}`)
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.has('list-unsubscribe')).toBe(false)
    const links = [...(message?.html ?? '').matchAll(/\/u\/([\w-]+)(\/confirm)?/g)]
    expect(links.map(([, , path]) => path)).toEqual(['/confirm'])
    const token = verifyToken(TEST_TOKEN_KEY, links[0]?.[1] ?? '', 'page')
    expect(token).toMatchObject({ kind: 'doi', clientId: tenant.clientId, memberId })
  })

  it('a member gets one mail per cause, further ones in campaigns of their own, and the text of that moment', async () => {
    const memberId = await idOf('bob@gmail.test')
    const mail = { table: table(), memberId, ...welcome }
    expect(await queueProcessMail(database.db, { ...mail, cause: 'off' })).toBe(false)
    await addText('welcome')
    expect(await queueProcessMail(database.db, { ...mail, cause: 'first' })).toBe(true)
    expect(await queueProcessMail(database.db, { ...mail, cause: 'first' })).toBe(false)
    expect(await queueProcessMail(database.db, { ...mail, cause: 'second' })).toBe(true)
    await expect.poll(() => received('bob@gmail.test').length).toBe(2)
    await database.db.updateTable('pmt').set({ subject: 'New subject' }).execute()
    await queueProcessMail(database.db, { ...mail, cause: 'third' })
    await expect.poll(() => received('bob@gmail.test').length).toBe(3)
    const campaigns = await database.db
      .selectFrom('process_campaign')
      .select('round')
      .where('process', '=', 'welcome')
      .orderBy('campagne_id')
      .execute()
    expect(campaigns.map(({ round }) => round)).toEqual([1, 2, 1])
  })

  it('nothing is sent of a transaction that is undone', async () => {
    const memberId = await idOf('cleo@gmail.test')
    const undone = transaction(database.db, async tx => {
      await queueProcessMail(tx, { table: table(), memberId, ...welcome, cause: 'undone' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await queueProcessMail(database.db, { table: table(), memberId, ...welcome, cause: 'done' })
    await expect.poll(() => received('cleo@gmail.test').length).toBe(1)
  })

  it('pending and unsubscribed members get only the mails about that, bounced ones none', async () => {
    await addText('unsub_done')
    await setMember('dan@gmail.test', sql`doi_state = 'pending', dateunjoin = now()`)
    await setMember('eve@gmail.test', sql`hardbounced_at = now()`)
    for (const email of ['dan@gmail.test', 'eve@gmail.test'])
      for (const process of ['doi_request', 'unsub_done', 'welcome'] as const) {
        const memberId = await idOf(email)
        await queueProcessMail(database.db, { table: table(), memberId, process, lang: 'en', cause: 'test' })
      }
    await expect
      .poll(() => ledger('dan@gmail.test'))
      .toEqual([
        ['doi_request', 'sent'],
        ['unsub_done', 'sent'],
        ['welcome', 'unsubscribed'],
      ])
    await expect
      .poll(() => ledger('eve@gmail.test'))
      .toEqual([
        ['doi_request', 'hardbounce'],
        ['unsub_done', 'hardbounce'],
        ['welcome', 'hardbounce'],
      ])
  })

  it('a mail to a new address goes there, unless that is suppressed', async () => {
    const memberId = await idOf('fay@gmail.test')
    const mail = { table: table(), memberId, process: 'doi_request', lang: 'en' } as const
    await queueProcessMail(database.db, { ...mail, cause: 'new', email: 'fay.new@gmail.test' })
    await expect.poll(() => received('fay.new@gmail.test').length).toBe(1)
    expect(received('fay@gmail.test')).toEqual([])
    const message = await openMailboxes(lab.folder).getMessage(received('fay.new@gmail.test')[0]?.id ?? 0)
    expect(message?.html).toContain('fay.new@gmail.test')
  })

  it('campaigns of process mails finish without a notification', async () => {
    await expect.poll(unfinished).toEqual([])
    expect(await database.db.selectFrom('notification').select('code').execute()).toEqual([])
  })

  it('without a sender the mail waits with the reason, and is sent once there is one', async () => {
    await database.db.updateTable('domain').set({ status: 'failed' }).execute()
    const memberId = await idOf('fay@gmail.test')
    await queueProcessMail(database.db, { table: table(), memberId, ...welcome, cause: 'late' })
    const waiting = () =>
      database.db
        .selectFrom('process_mail')
        .select('fault')
        .where('cause', '=', 'late')
        .executeTakeFirstOrThrow()
    await expect
      .poll(async () => (await waiting()).fault)
      .toMatchObject({ code: 'campaign.domain_unverified' })
    await database.db.updateTable('domain').set({ status: 'verified' }).execute()
    await database.db
      .updateTable('process_mail')
      .set({ due_at: sql`now()` })
      .where('cause', '=', 'late')
      .execute()
    await expect.poll(() => received('fay@gmail.test').length).toBe(1)
    expect((await waiting()).fault).toBeNull()
  })

  it('R276 pending members get the confirmation alone: by campaign, since its expansion, on a resend, by process', async () => {
    const { db } = database
    const pending = sql`doi_state = 'pending'`
    const emails = ['gus@gmail.test', 'hal@gmail.test', 'ina@gmail.test'] as const
    const [before, after, resent] = emails
    await engine.stop()
    await setMember(before, pending)
    const campaign = await addCampaign(tenant)
    await expandCampaign(db, campaign, testExpansion)
    await setMember(after, pending)
    await setMember(resent, pending)
    await sql`
      update delivery set state = 'unknown'
      where campagne_id = ${campaign.campaignId} and email = ${resent}`.execute(db)
    expect(await resolveUnknown(db, campaign)).toBe(1)
    engine = await testEngine(database, lab.port)
    await expect.poll(() => validOf(db, campaign.campaignId)).toBe(campaignState.finished)
    const { rows } = await sql<{ email: string; outcome: string }>`
      select email, coalesce(skip_reason::text, state::text) as outcome from delivery
      where campagne_id = ${campaign.campaignId} and email = any(${emails}::text[]) order by email`.execute(
      db,
    )
    expect(rows).toEqual(emails.map(email => ({ email, outcome: 'doi_missing' })))
    const others = ['doi_done', 'welcome', 'profile'] as const
    for (const process of ['doi_done', 'profile']) await addText(process)
    for (const process of [...others, 'doi_request'] as const) {
      const memberId = await idOf(before)
      await queueProcessMail(db, { table: table(), memberId, process, lang: 'en', cause: 'pending' })
    }
    await expect
      .poll(() => ledger(before))
      .toEqual([...others.map(process => [process, 'doi_missing']), ['doi_request', 'sent']])
    await expect.poll(() => received(before).length).toBe(1)
    for (const email of [after, resent]) expect(received(email)).toEqual([])
  })
})
