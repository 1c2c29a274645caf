import type { Db } from '@emma/db/connection.ts'
import { generateDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import { sql } from 'kysely'

/** A client with everything it needs to send, and its members. */
export interface TestTenant {
  db: Db
  clientId: number
  memberTableId: number
  domainId: number
  mailclassId: number
  messageId: number
  listId: number
}

export const SENDER = 'sender.test'

const HTML = `<html><body><h1>Hello {{ member.firstname | default: "you" }}</h1>
<p><a href="https://shop.example/offer?c={{ member.member_id }}">Offer</a> <a href="https://shop.example/">Shop</a></p>
<p>{{ client.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></p></body></html>`

/** Created once per process: generating an RSA key takes more than 0.1 s. */
const dkimKeys = (['rsa', 'ed25519'] as const).map(algorithm => ({
  algorithm,
  ...generateDkimKey(algorithm),
}))

/** Fills an empty database with a client that can send to `emails`, each a member. */
export async function createTestTenant(db: Db, emails: readonly string[]): Promise<TestTenant> {
  const { client_id: clientId } = await db
    .insertInto('client')
    .values({ name: 'Shop Größe', imprint: 'Shop Ltd, 1 Road' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  const own = { client_id: clientId }
  const { member_table_id: memberTableId } = await db
    .insertInto('member_table')
    .values({ ...own, name: 'Customers' })
    .returning('member_table_id')
    .executeTakeFirstOrThrow()
  await sql`select create_member_table(${memberTableId})`.execute(db)
  const members = sql.id('members', `t${memberTableId}`)
  await sql`alter table ${members} add column firstname text`.execute(db)
  await sql`
    insert into ${members} (client_id, email, firstname)
    select ${clientId}::bigint, email, 'Ann ' || n from unnest(${emails}::text[]) with ordinality as e (email, n)`.execute(
    db,
  )
  const { domain_id: domainId } = await db
    .insertInto('domain')
    .values({ ...own, name: SENDER, status: 'verified' })
    .returning('domain_id')
    .executeTakeFirstOrThrow()
  for (const { algorithm, privatePem, publicTxt } of dkimKeys) {
    const key = { selector: `s-${algorithm}`, algorithm, private_key: Buffer.from(privatePem) }
    await db
      .insertInto('dkim_key')
      .values({ ...own, domain_id: domainId, ...key, public_txt: publicTxt })
      .execute()
  }
  const { mailclass_id: mailclassId } = await db
    .insertInto('mailclass')
    .values({ ...own, name: 'bulk' })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  const { message_id: messageId } = await db
    .insertInto('message')
    .values({ ...own, name: 'News', subject: 'News for {{ member.firstname }}', body_long: HTML })
    .returning('message_id')
    .executeTakeFirstOrThrow()
  const { list_id: listId } = await db
    .insertInto('list')
    .values({ ...own, name: 'All', member_table_id: memberTableId, include_unsubscribed: true })
    .returning('list_id')
    .executeTakeFirstOrThrow()
  return { db, clientId, memberTableId, domainId, mailclassId, messageId, listId }
}

/** Adds a campaign to all members, in state `preparing` by default. */
export async function addCampaign(
  tenant: TestTenant,
  fields: Partial<{
    name: string
    fromadr: string
    valid: number
    throttle: number
    throttle_unit: string
    unknown_policy: string
    startdate: string
    exclude_list_ids: number[]
    blacklist_ids: number[]
    capping_id: number
    send_once_key: string
    message_id: number
    ctype: number
    list_id: number
    mailclass_id: number | null
    esp_id: number
    quiet_from: string
    quiet_to: string
    local_time: boolean
    local_past: string
    learned_time: string
    send_order: string
    order_column: string
    order_descending: boolean
    window_mails: number
    window_minutes: number
    missed_policy: string
    missed_minutes: number
    split: string
  }> = {},
): Promise<{ clientId: number; campaignId: number }> {
  const { campagne_id: campaignId } = await tenant.db
    .insertInto('campaign')
    .values({
      client_id: tenant.clientId,
      name: 'November',
      valid: 4,
      member_table_id: tenant.memberTableId,
      list_id: tenant.listId,
      message_id: tenant.messageId,
      domain_id: tenant.domainId,
      mailclass_id: tenant.mailclassId,
      fromadr: `news@${SENDER}`,
      fromname: 'Shop',
      ...fields,
    })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  return { clientId: tenant.clientId, campaignId }
}
