import type { campaign } from '@emma/contract/resources/campaign.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { membertableOperations } from '../audience/operations.ts'
import { listOperations } from '../audience/segments/list-operations.ts'
import { readSegment, segmentMembers } from '../audience/segments/segment-members.ts'
import { compileHere } from '../content/compile-message.ts'
import { messageOperations } from '../content/message-operations.ts'
import { type Actor, systemActor, type TenantScope } from '../resource/actor.ts'
import { type Campaign, campaignOperations } from '../campaigns/campaign-operations.ts'
import type { CheckContext } from '../campaigns/check-campaign.ts'

/** Fixture of campaign tests: a client with everything that a campaign needs to start. */
export interface TestTenant {
  db: Db
  actor: Actor
  scope: TenantScope
  clientId: number
  memberTableId: number
  listId: number
  domainId: number
  mailclassId: number
  messageId: number
}

/** Key of stored secrets. */
export const testKey = Buffer.alloc(32, 7)

export const testContext: CheckContext = {
  compile: compileHere,
  trackingBase: 'https://link.sender.test',
  fetchFeed: async () => ({ items: [] }),
  async countRecipients(db, campaign) {
    const scope = { clientIds: [campaign.client_id] }
    const segment = await readSegment(db, scope, Number(campaign.list_id))
    const members = await segmentMembers(db, scope, segment)
    const counted = await sql<{
      count: number
    }>`select count(*) as count from (${members}) as member`.execute(db)
    return counted.rows[0]?.count ?? 0
  },
}

export const testMessages = messageOperations(testContext)

export async function addTestTenant(db: Db): Promise<TestTenant> {
  const { client_id: clientId } = await db
    .insertInto('client')
    .values({ name: 'Shop', imprint: 'Shop Ltd, 1 Road' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  const actor = systemActor(clientId)
  const scope = { clientIds: [clientId] }
  const table = await membertableOperations.create(db, actor, clientId, { name: 'Customers' })
  const memberTableId = Number(table.member_table_id)
  await sql`
    insert into ${sql.id('members', `t${memberTableId}`)} (client_id, email)
    select ${clientId}::bigint, 'ann' || n || '@example.test' from generate_series(1, 3) as n`.execute(db)
  const list = await listOperations.create(db, actor, clientId, {
    name: 'All',
    member_table_id: memberTableId,
  })
  const message = await testMessages.create(db, actor, clientId, {
    name: 'News',
    subject: 'News',
    body_long:
      '<p>Hello {{ member.email }}, {{ client.imprint }} <a href="{{ link.unsubscribe }}">unsubscribe</a></p>',
  })
  const domain = await db
    .insertInto('domain')
    .values({ client_id: clientId, name: 'sender.test', status: 'verified' })
    .returning('domain_id')
    .executeTakeFirstOrThrow()
  const mailclass = await db
    .insertInto('mailclass')
    .values({ client_id: clientId, name: 'bulk' })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  return {
    db,
    actor,
    scope,
    clientId,
    memberTableId,
    listId: Number(list.list_id),
    domainId: domain.domain_id,
    mailclassId: mailclass.mailclass_id,
    messageId: Number(message.message_id),
  }
}

/** Adds a campaign that passes the check, with the given state and fields. */
export async function addTestCampaign(
  tenant: TestTenant,
  valid = 0,
  fields: Patch<typeof campaign> = {},
): Promise<Campaign> {
  const { db, actor, scope, clientId } = tenant
  const made = await campaignOperations.create(db, actor, clientId, {
    name: 'November',
    list_id: tenant.listId,
    message_id: tenant.messageId,
    domain_id: tenant.domainId,
    mailclass_id: tenant.mailclassId,
    fromadr: 'news@sender.test',
    ...fields,
  })
  const id = made.campagne_id
  await db.updateTable('campaign').set({ valid }).where('campagne_id', '=', id).execute()
  return campaignOperations.find(db, actor, scope, id)
}
