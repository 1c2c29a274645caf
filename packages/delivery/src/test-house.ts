import { createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Pool, Sql } from '@emma/db/connection.ts'
import { generateDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import type { LogRow } from '@emma/testbed/mailbox-rows.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { startTestbed, type Testbed } from '@emma/testbed/testbed.ts'
import type { Answer } from '@emma/testbed/zone.ts'
import { sql as raw } from 'kysely'
import { type Engine, type EngineOptions, startEngine } from './engine.ts'

/** What tests of delivery work on: a client that can send, its members, and a testbed that takes the mails. */
export interface House {
  sql: Sql
  clientId: number
  memberTableId: number
  domainId: number
  mailclassId: number
  messageId: number
  listId: number
}

export const SENDER = 'sender.test'

/** The key behind the tokens of all test mails. */
export const TEST_TOKEN_KEY = createSecretKey(Buffer.alloc(32, 7))

const HTML = `<html><body><h1>Hello {{ member.firstname | default: "you" }}</h1>
<p><a href="https://shop.example/offer?c={{ member.member_id }}">Offer</a> <a href="https://shop.example/">Shop</a></p>
<p>{{ client.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></p></body></html>`

/** Fills an empty database with a client that can send to `emails`, each a member. */
export async function fillHouse(sql: Sql, emails: readonly string[]): Promise<House> {
  const { client_id: clientId } = await sql
    .insertInto('client')
    .values({ name: 'Shop Größe', imprint: 'Shop Ltd, 1 Road' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  const own = { client_id: clientId }
  const { member_table_id: memberTableId } = await sql
    .insertInto('member_table')
    .values({ ...own, name: 'Customers' })
    .returning('member_table_id')
    .executeTakeFirstOrThrow()
  await raw`select create_member_table(${memberTableId})`.execute(sql)
  const members = raw.id('members', `t${memberTableId}`)
  await raw`alter table ${members} add column firstname text`.execute(sql)
  await raw`
    insert into ${members} (client_id, email, firstname)
    select ${clientId}::int, email, 'Ann ' || n from unnest(${emails}::text[]) with ordinality as e (email, n)`.execute(
    sql,
  )
  const { domain_id: domainId } = await sql
    .insertInto('domain')
    .values({ ...own, name: SENDER, status: 'verified' })
    .returning('domain_id')
    .executeTakeFirstOrThrow()
  for (const algorithm of ['rsa', 'ed25519'] as const) {
    const { privatePem, publicTxt } = generateDkimKey(algorithm)
    const key = { selector: `s-${algorithm}`, algorithm, private_key: Buffer.from(privatePem) }
    await sql
      .insertInto('dkim_key')
      .values({ ...own, domain_id: domainId, ...key, public_txt: publicTxt })
      .execute()
  }
  const { mailclass_id: mailclassId } = await sql
    .insertInto('mailclass')
    .values({ ...own, name: 'bulk' })
    .returning('mailclass_id')
    .executeTakeFirstOrThrow()
  const { message_id: messageId } = await sql
    .insertInto('message')
    .values({ ...own, name: 'News', subject: 'News for {{ member.firstname }}', body_long: HTML })
    .returning('message_id')
    .executeTakeFirstOrThrow()
  const { list_id: listId } = await sql
    .insertInto('list')
    .values({ ...own, name: 'All', member_table_id: memberTableId, include_unsubscribed: true })
    .returning('list_id')
    .executeTakeFirstOrThrow()
  return { sql, clientId, memberTableId, domainId, mailclassId, messageId, listId }
}

/** A campaign to all members, in preparation unless told otherwise. */
export async function addCampaign(
  house: House,
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
    message_id: number
    ctype: number
    list_id: number
    mailclass_id: number | null
    esp_id: number
    quiet_from: string
    quiet_to: string
    local_time: boolean
    window_mails: number
    window_minutes: number
    missed_policy: string
    missed_minutes: number
  }> = {},
): Promise<{ clientId: number; campaignId: number }> {
  const { campagne_id: campaignId } = await house.sql
    .insertInto('campaign')
    .values({
      client_id: house.clientId,
      name: 'November',
      valid: 4,
      member_table_id: house.memberTableId,
      list_id: house.listId,
      message_id: house.messageId,
      domain_id: house.domainId,
      mailclass_id: house.mailclassId,
      fromadr: `news@${SENDER}`,
      fromname: 'Shop',
      ...fields,
    })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  return { clientId: house.clientId, campaignId }
}

/** Every list is everybody whose member_id its name says (`<=3`), or all. */
export const segmentOf: EngineOptions['segmentOf'] = async (sql, { clientId, listId }) => {
  const list = await sql
    .selectFrom('list')
    .select(['name', 'member_table_id'])
    .where('client_id', '=', clientId)
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow()
  const limit = /^<=(\d+)$/.exec(list.name)?.[1]
  const table = raw.id('members', `t${list.member_table_id}`)
  const members = raw`select member_id, email from ${table} where client_id = ${clientId}
    ${limit === undefined ? raw`` : raw`and member_id <= ${Number(limit)}`}`
  return { memberTableId: list.member_table_id, members }
}

/** An engine of the test's own; secrets lie open in test databases. */
export function testEngine(
  { sql, pool }: { sql: Sql; pool: Pool },
  testbedPort: number,
  more: Partial<EngineOptions> = {},
): Promise<Engine> {
  return startEngine({
    sql,
    pool,
    logger: { info() {}, warn() {}, error: (fields, text) => console.error(text, fields) },
    segmentOf,
    trackingBaseOf: () => 'http://localhost:9',
    tokenKey: TEST_TOKEN_KEY,
    openSecret: sealed => sealed.toString(),
    testbed: { host: '127.0.0.1', port: testbedPort },
    helo: 'engine.test',
    outgoing: { allowPrivate: true },
    // 48 hours of retries in 4 seconds.
    retryScale: { testbed: 0.00002, smtp: 0.00002 },
    ...more,
  })
}

export interface TestLab {
  port: number
  folder: string
  /** One row for each recipient of each transaction. */
  log(): LogRow[]
  stop(): Promise<void>
}

/** A testbed without reactions that knows the sender's domain. */
export async function startLab(sql: Sql): Promise<TestLab> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-delivery-'))
  const testbed: Testbed = await startTestbed({
    folder,
    smtpPort: 0,
    seed: 'delivery',
    retryAfter: 0,
    slowReply: 0.05,
    reactions: { enabled: false },
    verifySample: { perSecond: 10_000, fraction: 1 },
    lookup: name => lookUp(sql, name),
  })
  return {
    port: testbed.smtpPort,
    folder,
    log: () => [...openMailboxes(folder).readLog()],
    async stop() {
      await testbed.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function lookUp(sql: Sql, name: string): Promise<Answer[] | null> {
  const [selector] = name.split('._domainkey.')
  const keys = await sql.selectFrom('dkim_key').select(['selector', 'public_txt']).execute()
  const key = keys.find(one => one.selector === selector)
  if (key) return [{ type: 'TXT', text: key.public_txt }]
  if (name === `_dmarc.${SENDER}`) return [{ type: 'TXT', text: 'v=DMARC1; p=reject' }]
  if (name === SENDER || name === `bounce.${SENDER}`)
    return [{ type: 'TXT', text: 'v=spf1 ip4:127.0.0.1 -all' }]
  return null
}

/** How many rows of the ledger there are in each state, and by skip reason. */
export async function countLedger(sql: Sql, campaignId: number): Promise<Record<string, number>> {
  const { rows } = await raw<{ name: string; count: number }>`
    select coalesce(skip_reason::text, state::text) as name, count(*) as count
    from delivery where campagne_id = ${campaignId} and member_id > 0 group by 1`.execute(sql)
  return Object.fromEntries(rows.map(row => [row.name, row.count]))
}

/**
 * The ledger as it is once nothing of the campaign is on its way and, for a while, nothing has changed.
 *
 * @throws when it does not come to rest within 20 seconds
 */
export async function ledgerAtRest(sql: Sql, campaignId: number): Promise<Record<string, number>> {
  const end = performance.now() + 20_000
  let before = await countLedger(sql, campaignId)
  while (performance.now() < end) {
    await sleep(700)
    const now = await countLedger(sql, campaignId)
    if (!('claimed' in now) && isDeepStrictEqual(now, before)) return now
    before = now
  }
  throw new Error(`The ledger does not come to rest: ${JSON.stringify(before)}`)
}

export async function validOf(sql: Sql, campaignId: number): Promise<number> {
  const { valid } = await sql
    .selectFrom('campaign')
    .select('valid')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return valid
}
