import { campaignState } from '@emma/contract/campaign-states.ts'
import { split } from '@emma/contract/split.ts'
import { chooseByUser } from '@emma/core/campaigns/split/choose-by-user.ts'
import { countVariants } from '@emma/core/campaigns/split/count-variants.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { addCampaign, createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'

import { releaseRest } from '../1-expand/release-rest.ts'
import { countLedger, startLab, testEngine, type TestLab, validOf } from '../test/engine.ts'
import type { Engine } from './engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine

beforeAll(async () => {
  database = await createTestDatabase()
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port)
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

const MEMBERS = 40
const addresses = (prefix: string) => Array.from({ length: MEMBERS }, (_, n) => `ok-${prefix}${n}@gmail.test`)

/** A campaign with an A/B test that is not expanded yet, so that no engine sees it before the test is set. */
async function addSplit(
  tenant: TestTenant,
  settings: z.input<typeof split>,
  more: Record<string, unknown> = {},
) {
  const campaign = await addCampaign(tenant, { valid: campaignState.draft })
  await database.db
    .updateTable('campaign')
    .set({ split: JSON.stringify(split.parse(settings)), ...more })
    .where('campagne_id', '=', campaign.campaignId)
    .execute()
  return campaign
}

async function start(campaignId: number) {
  await database.db
    .updateTable('campaign')
    .set({ valid: campaignState.preparing })
    .where('campagne_id', '=', campaignId)
    .execute()
}

async function arms(campaignId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ arm: string; count: number }>`
    select coalesce(skip_reason::text, variant::text, 'rest') as arm, count(*) as count from delivery
    where campagne_id = ${campaignId} and member_id > 0 group by 1`.execute(database.db)
  return Object.fromEntries(rows.map(({ arm, count }) => [arm, Number(count)]))
}

async function find(campaignId: number) {
  const { rows } = await sql<{
    split_sampled_at: Date | null
    split_decided_at: Date | null
    split_winner: number | null
    split_result: { reason: string; figures: { n: number; x: number }[] } | null
    split_waits: boolean
  }>`select split_sampled_at, split_decided_at, split_winner, split_result, split_waits
    from campaign where campagne_id = ${campaignId}`.execute(database.db)
  const [row] = rows
  if (!row) throw new Error('The campaign is gone.')
  return row
}

async function click(tenant: TestTenant, campaignId: number, variant: number, most = 1000) {
  await sql`
    insert into event (client_id, campagne_id, member_id, type, verdict, link_index, ts)
    select client_id, campagne_id, member_id, 'click', 'human', 0, now() from delivery
    where client_id = ${tenant.clientId} and campagne_id = ${campaignId} and variant = ${variant} and member_id > 0
    order by member_id limit ${most}`.execute(database.db)
}

const endWait = (campaignId: number) =>
  sql`
  update campaign set split_sampled_at = split_sampled_at - interval '1 day'
  where campagne_id = ${campaignId}`.execute(database.db)

function received(prefix: string): Map<string, string[]> {
  const { rows } = openMailboxes(lab.folder).listMessages({ search: `ok-${prefix}`, limit: 200 })
  return Map.groupBy(rows, ({ subject }) => subject ?? '') as never
}

describe('an A/B test', () => {
  it('sends each variant to its share, decides by clicks, and the rest gets the winner alone', async () => {
    const tenant = await createTestTenant(database.db, addresses('win'))
    const { campaignId } = await addSplit(tenant, {
      variants: [{ subject: 'Subject B' }, { fromname: 'Somebody else', subject: 'Subject C' }],
      sample_percent: 45,
      level: 0.9,
    })
    await start(campaignId)
    await expect.poll(async () => (await find(campaignId)).split_sampled_at).not.toBeNull()
    expect(await arms(campaignId)).toEqual({ 0: 6, 1: 6, 2: 6, rest: 22 })
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: 18, pending: 22 })
    await click(tenant, campaignId, 1)
    await endWait(campaignId)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: 40 })
    expect(await find(campaignId)).toMatchObject({
      split_winner: 1,
      split_waits: false,
      split_result: {
        reason: 'significant',
        figures: [
          { n: 6, x: 0 },
          { n: 6, x: 6 },
          { n: 6, x: 0 },
        ],
      },
    })
    const bySubject = received('win')
    expect(bySubject.get('Subject B')).toHaveLength(6 + 22)
    expect(bySubject.get('Subject C')).toHaveLength(6)
    const everybody = [...bySubject.values()].flat() as unknown as { recipient: string }[]
    expect(new Set(everybody.map(({ recipient }) => recipient)).size).toBe(MEMBERS)
    expect(everybody).toHaveLength(MEMBERS)
  })

  it('sends templates of their own, with links numbered over all of them', async () => {
    const tenant = await createTestTenant(database.db, addresses('own'))
    const { db } = database
    const { message_id: other } = await db
      .insertInto('message')
      .values({
        client_id: tenant.clientId,
        name: 'Other',
        subject: 'Quite another one',
        body_long:
          '<p><a href="https://shop.example/b">B</a> <a href="https://shop.example/">Shop</a> <a href="{{ link.unsubscribe }}">x</a></p>',
        message_type: 'html',
        is_tracked: true,
      })
      .returning('message_id')
      .executeTakeFirstOrThrow()
    const { campaignId } = await addSplit(tenant, {
      variants: [{ message_id: Number(other) }],
      sample_percent: 100,
    })
    await start(campaignId)
    await expect.poll(() => validOf(db, campaignId)).toBe(campaignState.finished)
    expect(await arms(campaignId)).toEqual({ 0: 20, 1: 20 })
    expect(received('own').get('Quite another one')).toHaveLength(20)
    const { snapshot } = await db
      .selectFrom('campaign')
      .select('snapshot')
      .where('campagne_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    expect(snapshot).toMatchObject({
      links: [
        { index: 0, url: 'https://shop.example/offer?c={{ member.member_id }}' },
        { index: 1, url: 'https://shop.example/' },
        { index: 2, url: 'https://shop.example/b' },
      ],
    })
  })

  it('without a clear winner follows its rule, here that nobody else gets anything', async () => {
    const tenant = await createTestTenant(database.db, addresses('none'))
    const { campaignId } = await addSplit(tenant, {
      variants: [{ subject: 'Subject B' }],
      sample_percent: 50,
      otherwise: 'nobody',
    })
    await start(campaignId)
    await expect.poll(async () => (await find(campaignId)).split_sampled_at).not.toBeNull()
    await click(tenant, campaignId, 0, 2)
    await endWait(campaignId)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
    expect(await countLedger(database.db, campaignId)).toEqual({ sent: 20, cancelled: 20 })
    expect(await find(campaignId)).toMatchObject({ split_winner: null, split_result: { reason: 'nobody' } })
  })

  it('waits for a user who decides, whose choice is stored with the figures', async () => {
    const tenant = await createTestTenant(database.db, addresses('user'))
    const { clientId } = tenant
    const { campaignId } = await addSplit(tenant, {
      variants: [{ subject: 'Subject B' }],
      sample_percent: 10,
      winner_by: 'person',
    })
    const scope = { clientIds: [clientId] }
    const actor = systemActor(clientId)
    await expect(chooseByUser(database.db, actor, scope, campaignId, 1)).rejects.toMatchObject({
      code: 'wrong_state',
    })
    await start(campaignId)
    await expect.poll(async () => (await find(campaignId)).split_sampled_at).not.toBeNull()
    const { rows } = await sql`
      select code from notification where client_id = ${clientId} and code = 'split_waits'`.execute(
      database.db,
    )
    expect(rows).toHaveLength(1)
    await endWait(campaignId)
    await expect(chooseByUser(database.db, actor, scope, campaignId, 2)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await find(campaignId)).toMatchObject({ split_decided_at: null, split_result: null })
    await chooseByUser(database.db, actor, scope, campaignId, 1)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
    expect(received('user').get('Subject B')).toHaveLength(2 + 36)
    expect(await find(campaignId)).toMatchObject({
      split_result: { reason: 'person', figures: [{ n: 2 }, { n: 2 }] },
    })
    await expect(chooseByUser(database.db, actor, scope, campaignId, 0)).rejects.toMatchObject({
      code: 'wrong_state',
    })
  })

  it('holds a share back, and compares it by the goal', async () => {
    const tenant = await createTestTenant(database.db, addresses('held'))
    const { campaignId, clientId } = await addSplit(tenant, { holdout_percent: 25 })
    await start(campaignId)
    await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
    expect(await arms(campaignId)).toEqual({ holdout: 10, rest: 30 })
    expect(received('held').size).toBe(30)
    const figures = await countVariants(database.db, { clientId, campaignIds: [campaignId] }, tenant.listId)
    expect(figures).toMatchObject([
      { part: 'holdout', recipients: 10, sent: 0, reached_goal: 10 },
      { part: 'rest', recipients: 30, delivered: 30, reached_goal: 30 },
    ])
  })
})

describe('the rest of an A/B test', () => {
  it('is due as planned: after the sample, in batches', async () => {
    const { db } = database
    const tenant = await createTestTenant(db, addresses('plan'))
    const { campaignId } = await addSplit(
      tenant,
      { variants: [{ subject: 'B' }], sample_percent: 20 },
      { window_mails: 4, window_minutes: 60 },
    )

    await start(campaignId)
    await expect.poll(() => validOf(db, campaignId)).toBe(campaignState.running)
    expect((await arms(campaignId))['rest']).toBe(32)
    const due = () =>
      sql<{ hours: number; rows: number }>`
      select round(extract(epoch from due_at - min(due_at) over ()) / 3600)::int as hours from delivery
      where campagne_id = ${campaignId} and variant is null and member_id > 0`.execute(db)
    const planned = Map.groupBy((await due()).rows, ({ hours }) => hours)
    // The sample fills the first two batches.
    expect([...planned.values()].map(each => each.length)).toEqual(Array(8).fill(4))
    await sql`update campaign set split_winner = 1, split_decided_at = now() where campagne_id = ${campaignId}`.execute(
      db,
    )
    // The engine, or this test if the campaign is not locked at this moment.
    await releaseRest(db, () => false)
    await expect.poll(async () => (await find(campaignId)).split_waits).toBe(false)
    const { rows } = await sql<{ first: number; last: number }>`
      select round(extract(epoch from min(due_at) - now()) / 3600)::int as first,
        round(extract(epoch from max(due_at) - now()) / 3600)::int as last
      from delivery where campagne_id = ${campaignId} and variant is null`.execute(db)
    expect(rows).toEqual([{ first: 2, last: 9 }])
  })
})

it('keeps senders of variants', async () => {
  const tenant = await createTestTenant(database.db, addresses('from'))
  const { campaignId } = await addSplit(tenant, {
    variants: [{ fromadr: `ceo@${SENDER}`, reply_to: `answers@${SENDER}` }],
    sample_percent: 100,
  })
  await start(campaignId)
  await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
  const { rows } = openMailboxes(lab.folder).listMessages({ search: 'ok-from', limit: 200 })
  expect(rows.filter(({ from }) => from.includes(`ceo@${SENDER}`))).toHaveLength(20)
})
