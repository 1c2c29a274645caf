import { campaignState } from '@emma/contract/campaign-states.ts'
import { approve, requestApproval } from '@emma/core/campaigns/approval/decide-approval.ts'
import { readApproval } from '@emma/core/campaigns/approval/read-approval.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startScheduled } from '../5-record/close-campaigns.ts'
import { prepareCampaigns } from '../engine/prepare-campaigns.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { testExpansion } from '../test/engine.ts'
import { expandCampaign, type ExpandSource } from './expand-campaign.ts'

/** No campaign is sent with anything but what was approved, whatever is changed at whichever moment. */

let database: TestDatabase
let tenant: TestTenant
let userIds: number[]
let html: string

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['a@gmx.test', 'b@gmx.test'])
  const { db } = database
  await db.updateTable('client').set({ campaign_approval: true }).execute()
  const users = ['ann', 'ben'].map(username => ({ username, email: `${username}@example.test` }))
  userIds = (await db.insertInto('app_user').values(users).returning('id').execute()).map(({ id }) => id)
  const message = await db.selectFrom('message').select('body_long').executeTakeFirstOrThrow()
  html = message.body_long ?? ''
})
beforeEach(() => setHtml(html))
afterAll(() => database.drop())

/** Changes the template as an editor does. */
async function setHtml(body_long: string): Promise<void> {
  await sql`update message set body_long = ${body_long}, revision = revision + 1`.execute(database.db)
}

/** A campaign that was approved as a draft, in the state `valid`. */
async function addApproved(
  valid: number,
  fields: Parameters<typeof addCampaign>[1] = {},
): Promise<CampaignKey> {
  const { db } = database
  const key = await addCampaign(tenant, { ...fields, valid: campaignState.draft })
  const { clientId, campaignId } = key
  const of = { clientId, subject: 'campaign', id: campaignId } as const
  const scope = { clientIds: [clientId] }
  const [author = 0, second = 0] = userIds
  const actorOf = (userId: number) => ({ ...systemActor(clientId), userId })
  await requestApproval(db, actorOf(author), scope, of, null)
  const { hash } = await readApproval(db, actorOf(second), scope, of)
  await approve(db, actorOf(second), scope, of, { hash, note: null })
  await db.updateTable('campaign').set({ valid }).where('campagne_id', '=', campaignId).execute()
  return key
}

async function read({ campaignId }: CampaignKey) {
  const { rows } = await sql<{
    valid: number
    error_code: string | null
    recipients: number
    html: string | null
  }>`
    select c.valid, c.error_code, c.snapshot -> 'message' ->> 'html' as html,
      (select count(*) from delivery d where d.client_id = c.client_id and d.campagne_id = c.campagne_id) as recipients
    from campaign c where c.campagne_id = ${campaignId}`.execute(database.db)
  return rows[0]
}

const logger = { info() {}, warn() {}, error: (fields: unknown, text: string) => console.error(text, fields) }

/** One round of an engine. */
function prepare(source: ExpandSource = testExpansion): Promise<number> {
  return prepareCampaigns({ db: database.db, logger, source }, 'bulk', () => false)
}

/** A source that changes the template while the campaign is expanded: before or after its content is read. */
function racing(change: { before?: string; after?: string }): ExpandSource {
  return {
    ...testExpansion,
    async takeSnapshot(tx, key) {
      if (change.before !== undefined) await setHtml(change.before)
      const snapshot = await testExpansion.takeSnapshot(tx, key)
      if (change.after !== undefined) await setHtml(change.after)
      return snapshot
    },
  }
}

const evil = '<p>Evil {{ client.imprint }} <a href="{{ link.unsubscribe }}">bye</a></p>'

test('an approved campaign is sent as it was approved', async () => {
  const key = await addApproved(campaignState.preparing)
  await prepare()
  expect(await read(key)).toMatchObject({ valid: campaignState.running, recipients: 2, html })
})

test('a change between start and expansion holds the campaign, with the reason', async () => {
  const key = await addApproved(campaignState.preparing)
  await setHtml(evil)
  await prepare()
  expect(await read(key)).toMatchObject({
    valid: campaignState.held,
    error_code: expect.stringMatching(/^campaign\.approval_/),
    recipients: 0,
    html: null,
  })
})

test('a change while the content is read is never sent', async () => {
  const key = await addApproved(campaignState.preparing)
  await prepare(racing({ before: evil }))
  expect(await read(key)).toMatchObject({ valid: campaignState.held, recipients: 0, html: null })
})

test('a change that is undone at once is not sent either, and the campaign is expanded again', async () => {
  const key = await addApproved(campaignState.preparing)
  await prepare(racing({ before: evil, after: html }))
  expect(await read(key)).toMatchObject({ valid: campaignState.preparing, recipients: 0, html: null })
  await prepare()
  expect(await read(key)).toMatchObject({ valid: campaignState.running, recipients: 2, html })
})

test('a change after the content was read does not concern the campaign, or stops it', async () => {
  const key = await addApproved(campaignState.preparing)
  await prepare(racing({ after: evil }))
  expect(await read(key)).toMatchObject({ valid: campaignState.held, recipients: 0 })
})

test('concurrent edits never lead to unapproved content', async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = await addApproved(campaignState.preparing)
    const edits = (async () => {
      for (let edit = 0; edit < 8; edit += 1) await setHtml(edit % 2 === 0 ? evil : html)
    })()
    await Promise.all([edits, expandCampaign(tenant.db, key, testExpansion).catch(() => null)])
    const after = await read(key)
    expect({ round, html: after?.html }).toEqual({
      round,
      html: after?.valid === campaignState.running ? html : null,
    })
    await sql`update campaign set valid = ${campaignState.stopped} where campagne_id = ${key.campaignId}`.execute(
      tenant.db,
    )
  }
})

test('a scheduled campaign whose template was changed is held at its time; an unchanged one starts', async () => {
  const startdate = '2026-01-01T08:00:00Z'
  const unchanged = await addApproved(campaignState.scheduled, { startdate })
  await startScheduled(tenant.db)
  expect(await read(unchanged)).toMatchObject({ valid: campaignState.preparing })
  const changed = await addApproved(campaignState.scheduled, { startdate })
  await setHtml(evil)
  await startScheduled(tenant.db)
  expect(await read(changed)).toMatchObject({
    valid: campaignState.held,
    error_code: expect.stringMatching(/^campaign\.approval_/),
  })
})

test('proofs and emails of programs need no approval', async () => {
  for (const ctype of [3, 4, 5, 6]) {
    const key = await addCampaign(tenant, { ctype })
    await expandCampaign(tenant.db, key, testExpansion)
    expect(await read(key)).toMatchObject({ valid: campaignState.running })
  }
})
