import type { Db } from '@emma/db/connection.ts'
import type { TestDatabase } from '@emma/db/test/database.ts'
import type { ClaimedRow } from '@emma/delivery/model/outcome.ts'
import type { TestTenant } from '@emma/core/test/tenant.ts'
import { signToken, type Token, type TokenPurpose, verpAddress } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import * as books from './book.ts'
import type { Book, Campaign, Mail, Tenant } from './book.ts'
import type { Doors, TestEngine } from './doors.ts'

/** One step. The numbers select among what exists at that moment. */
export interface Step {
  tenant: number
  campaign: number
  mail: number
  pick: number
  isDoubled: boolean
  isForged: boolean
}

export const MINUTE = 60_000
/** People of the two clients; the first of each is the same person. */
const PEOPLE = [5, 3] as const

export const HOST = 'bounce.sender.test'

/** Rows claimed by an engine, and whether they may have been sent. */
export interface Held {
  row: ClaimedRow
  mail: Mail
  hasBegun: boolean
}

export interface World {
  db: Db
  database: TestDatabase
  clients: readonly TestTenant[]
  doors: Doors
  book: Book
  engine: TestEngine
  held: Held[]
  /** Messages of engines declared dead, which may still report late. */
  lost: { row: ClaimedRow; mail: Mail; lease: string }[]
  /** Tracking events that were answered and not stored yet. */
  waiting: { mail: Mail; line: Partial<books.Line> & { type: string } }[]
  now: number
  serial: number
}

export async function begin(
  database: TestDatabase,
  clients: readonly TestTenant[],
  doors: Doors,
): Promise<World> {
  const { db } = database
  for (const table of [
    'event',
    'delivery',
    'esp_event',
    'engine_journal',
    'engine',
    'blacklist_entry',
    'blacklist',
    'test_address',
    'send_count',
    'campaign',
  ])
    await sql`delete from ${sql.table(table)}`.execute(db)
  const tenants: Tenant[] = []
  for (const [index, { clientId, memberTableId }] of clients.entries()) {
    const members = sql.id('members', `t${memberTableId}`)
    await sql`delete from ${members}`.execute(db)
    const emails = Array.from({ length: PEOPLE[index] ?? 0 }, (_, n) =>
      n === 0 ? 'both@gmx.test' : `p${n}@${index}.test`,
    )
    const { rows } = await sql<{ id: number; email: string }>`
      insert into ${members} (client_id, email) select ${clientId}::bigint, unnest(${emails}::text[])
      returning member_id as id, email`.execute(db)
    const tenant: Tenant = { clientId, people: [], seedId: null }
    tenant.people = rows.map(row => ({
      tenant,
      ...row,
      isGone: false,
      isOff: false,
      hardAt: null,
      complainedAt: null,
    }))
    tenants.push(tenant)
  }
  const [first] = tenants
  if (first) first.seedId = await addSeed(db, first.clientId)
  return {
    db,
    database,
    clients,
    doors,
    book: { tenants, campaigns: [], lines: [] },
    engine: await doors.engine(),
    held: [],
    lost: [],
    waiting: [],
    // Starts six hours ago, so that later times of today are recognizably written just now.
    now: Math.floor(Date.now() / 1000) * 1000 - 6 * 60 * MINUTE,
    serial: 0,
  }
}

async function addSeed(db: Db, clientId: number): Promise<number> {
  const { testaddress_id } = await db
    .insertInto('test_address')
    .values({ client_id: clientId, email: 'seed@own.test', addr_type: 'global_seed' })
    .returning('testaddress_id')
    .executeTakeFirstOrThrow()
  return testaddress_id
}

/** Replaces times written by the database's and this process's clock since the last step by the model's time. */
export async function passTime({ db, now, clients }: World): Promise<void> {
  const at = new Date(now)
  const fresh = new Date(Date.now() - 3 * 60 * MINUTE)
  await sql`update event set ts = ${at} where ts > ${fresh}`.execute(db)
  await sql`update delivery set recorded_at = ${at} where recorded_at > ${fresh}`.execute(db)
  await sql`update delivery set claimed_at = ${at} where claimed_at > ${fresh}`.execute(db)
  await sql`update campaign set updated_at = ${at} where updated_at > ${fresh}`.execute(db)
  await sql`update campaign set send_counted_at = ${at} where send_counted_at > ${fresh}`.execute(db)
  for (const { memberTableId } of clients)
    await sql`
      update ${sql.id('members', `t${memberTableId}`)} set hardbounced_at = ${at} where hardbounced_at > ${fresh}`.execute(
      db,
    )
}

export function hasLeft(mail: Mail): boolean {
  return mail.attempts > 0
}

/** A message that may have been sent; test subscribers do not count. */
export function leftMail(campaign: Campaign, { mail }: Step): Mail | undefined {
  const left = campaign.mails.filter(one => one.person !== null && hasLeft(one))
  return left[mail % Math.max(1, left.length)]
}

export function clientOf({ clients }: World, { tenant }: Campaign): TestTenant {
  const found = clients.find(client => client.clientId === tenant.clientId)
  if (!found) throw new Error('A campaign of nobody')
  return found
}

export function tokenOf(
  { doors }: Pick<World, 'doors'>,
  {
    campaign,
    memberId,
  }: { campaign: Pick<Campaign, 'id'> & { tenant: Pick<Tenant, 'clientId'> }; memberId: number },
  other: Partial<Token> = {},
  purpose: TokenPurpose = 'page',
): string {
  const clientId = campaign.tenant.clientId
  return signToken(
    doors.tokenKey,
    {
      kind: 'campaign',
      clientId,
      campaignId: campaign.id,
      memberId,
      ...other,
    },
    purpose,
  )
}

export function referenceOf(world: World, mail: Mail): string {
  return verpAddress(tokenOf(world, mail, {}, 'return'), HOST).split('@')[0] ?? ''
}
