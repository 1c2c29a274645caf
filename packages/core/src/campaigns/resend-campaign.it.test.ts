import { campaignState } from '@emma/contract/campaign-states.ts'
import { split } from '@emma/contract/split.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSegment, segmentMembers } from '../audience/segments/segment-members.ts'
import { addTestCampaign, addTestTenant, type TestTenant } from '../test/campaign.ts'
import { resendCampaign } from './resend-campaign.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

/** A campaign that two of three members got, of whom one opened it. */
async function addSent() {
  const { db, clientId, memberTableId } = tenant
  const campaign = await addTestCampaign(tenant, campaignState.finished, {
    split: split.parse({ variants: [{ subject: 'Other' }] }),
    send_once_key: 'november',
  })
  const { campagne_id: id } = campaign
  await sql`update campaign set started_at = now(), member_table_id = ${memberTableId} where campagne_id = ${id}`.execute(
    db,
  )
  const { rows } = await sql<{ id: number; email: string }>`
    select member_id as id, email from ${sql.id('members', `t${memberTableId}`)} order by member_id`.execute(
    db,
  )
  const [opener, sleeper] = rows
  for (const member of [opener, sleeper])
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
      values (${clientId}, ${id}, ${member?.id}, ${member?.email}, 'sent', now())`.execute(db)
  await sql`
    insert into event (client_id, ts, campagne_id, member_id, member_table_id, type, verdict)
    values (${clientId}, now(), ${id}, ${opener?.id}, ${memberTableId}, 'open', 'human')`.execute(db)
  return { campaign, opener, sleeper }
}

async function membersOf(listId: number | null): Promise<number[]> {
  const { db, scope } = tenant
  const segment = await readSegment(db, scope, Number(listId))
  const members = await segmentMembers(db, scope, segment)
  const { rows } = await sql<{
    id: number
  }>`select member_id as id from (${members}) as m order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

test('a campaign goes again to those who have not opened it, with another subject', async () => {
  const { db, actor, scope } = tenant
  const { campaign, sleeper, opener } = await addSent()
  const again = await resendCampaign(db, actor, scope, campaign.campagne_id, {
    to: 'not_opened',
    subject: 'Did you see it?',
  })
  expect(again).toMatchObject({
    name: 'November (not opened)',
    valid: campaignState.draft,
    message_id: campaign.message_id,
    fromadr: campaign.fromadr,
    subject: 'Did you see it?',
    split: null,
    send_once_key: null,
  })
  expect(await membersOf(again.list_id)).toEqual([sleeper?.id])
  const clicked = await resendCampaign(db, actor, scope, campaign.campagne_id, { to: 'not_clicked' })
  expect(await membersOf(clicked.list_id)).toEqual([opener?.id, sleeper?.id])
})

test('a draft cannot be sent again, and nothing is left of it', async () => {
  const { db, actor, scope } = tenant
  const { campagne_id: id } = await addTestCampaign(tenant)
  const before = await sql<{ n: number }>`select count(*) as n from list`.execute(db)
  await expect(resendCampaign(db, actor, scope, id, { to: 'not_opened' })).rejects.toMatchObject({
    code: 'wrong_state',
  })
  expect((await sql<{ n: number }>`select count(*) as n from list`.execute(db)).rows).toEqual(before.rows)
})
