import { fault } from '@emma/contract/faults.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { split as splitField } from '@emma/contract/split.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { findMemberRow } from '../audience/members/read-member-row.ts'
import { findSendingFaults } from './sending-faults.ts'
import { variantsOf } from './split/variants.ts'
import { addressDomainOf } from '../audience/address.ts'

export interface TestRequest {
  message_id: number
  campagne_id?: number | null | undefined
  emails: string[]
  test_group_id?: number | null | undefined
  member_id: number
  domain_id?: number | null | undefined
  subject_prefix: string
}

/** Sending route, sender and subject of a test: the campaign's, or defaults of the client. */
export interface TestSettings {
  clientId: number
  campaign: { id: number; name: string } | null
  domainId: number
  mailclassId: number
  espId: number | null
  memberTableId: number | null
  /** Each variant of the campaign's A/B test; one without. */
  variants: TestVariant[]
}

export interface TestVariant {
  messageId: number
  sender: { address: string; name: string; replyTo: string | null }
  /** Null: the message's subject. */
  subject: string | null
}

/**
 * Chooses the settings of a test from its campaign, else from the client.
 * @throws EmmaError `invalid` when there is no domain or mail class to send with, or when the sender does not pass the
 * check that campaigns pass
 */
export async function readTestSettings(
  db: Db,
  clientId: number,
  request: TestRequest,
): Promise<TestSettings> {
  const { rows } = await sql<{
    name: string | null
    domain_id: number | null
    domain: string | null
    mailclass_id: number | null
    esp_id: number | null
    member_table_id: number | null
    fromadr: string | null
    fromname: string | null
    reply_to: string | null
    subject: string | null
    message_id: number | null
    split: unknown
  }>`
    select c.name, d.domain_id, d.name as domain, m.mailclass_id, c.esp_id, c.member_table_id, c.fromadr,
      coalesce(c.fromname, client.name) as fromname, c.reply_to, c.subject, c.message_id, c.split
    from client
    left join campaign c on c.client_id = client.client_id and c.campagne_id = ${request.campagne_id ?? null}
      and c.deleted_at is null
    left join lateral (
      select domain_id, name from domain
      where client_id = client.client_id and deleted_at is null
        and domain_id = coalesce(${request.domain_id ?? null}::bigint, c.domain_id, domain_id)
      order by ${addressDomainOf(sql.ref('c.fromadr'))} = name desc nulls last, status = 'verified' desc, domain_id
      limit 1) d on true
    left join lateral (
      select mailclass_id from mailclass
      where client_id = client.client_id and deleted_at is null and active
      order by mailclass_id = c.mailclass_id desc nulls last, type = 'test' desc, mailclass_id
      limit 1) m on true
    where client.client_id = ${clientId}`.execute(db)
  const [found] = rows
  if (request.campagne_id && found?.name === null)
    throw invalid([fieldError('campagne_id', 'field.not_there')])
  if (request.domain_id && found?.domain_id !== request.domain_id)
    throw invalid([fieldError('domain_id', 'field.not_there')])
  if (!found || found.domain_id === null || found.domain === null)
    throw new EmmaError('invalid', fault('refusal.no_domain'))
  if (found.mailclass_id === null) throw new EmmaError('invalid', fault('refusal.no_mailclass'))
  const address = found.fromadr ?? `test@${found.domain}`
  const route = { clientId, domainId: found.domain_id, mailclassId: found.mailclass_id, espId: found.esp_id }
  // Another template than the campaign's is tested alone.
  const split = found.message_id === request.message_id ? splitField.nullable().parse(found.split) : null
  const variants = variantsOf({ ...found, message_id: request.message_id, fromadr: address, split })
  const senders = variants.map(({ fromadr, reply_to: replyTo }) => ({ ...route, fromadr, replyTo }))
  const faults = (await findSendingFaults(db, senders)).find(each => each.length > 0) ?? []
  if (faults.length > 0) throw invalid(faults.map(({ field, fault: reason }) => ({ field, ...reason })))
  return {
    clientId,
    campaign: request.campagne_id && found.name ? { id: request.campagne_id, name: found.name } : null,
    domainId: found.domain_id,
    mailclassId: found.mailclass_id,
    espId: found.esp_id,
    memberTableId: found.member_table_id ?? (await firstDatasource(db, clientId)),
    variants: variants.map(variant => ({
      messageId: variant.message_id ?? request.message_id,
      sender: {
        address: variant.fromadr ?? address,
        name: variant.fromname ?? '',
        replyTo: variant.reply_to,
      },
      subject: variant.subject,
    })),
  }
}

async function firstDatasource(db: Db, clientId: number): Promise<number | null> {
  const found = await db
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .orderBy('member_table_id')
    .executeTakeFirst()
  return found?.member_table_id ?? null
}

/** Merge data of a test when no member is chosen. */
const SAMPLE = { salutation: 'Dear', firstname: 'Alex', lastname: 'Sample', city: 'Berlin', member_id: 0 }

/**
 * Recipients of a test, each address once. A test address has its own data; the others show the chosen member or the
 * sample.
 */
export async function readTestRecipients(
  db: Db,
  clientId: number,
  request: TestRequest,
): Promise<{ email: string; member: Record<string, unknown> }[]> {
  await assertTestGroup(db, clientId, request.test_group_id ?? null)
  const shown = request.member_id === 0 ? SAMPLE : await findMemberRow(db, clientId, request.member_id)
  const { rows } = await sql<{ email: string; member: Record<string, unknown> | null }>`
    select distinct on (lower(wanted.email)) wanted.email, case when t.testaddress_id is not null then
        t.member_data || jsonb_strip_nulls(jsonb_build_object('firstname', t.firstname, 'lastname', t.lastname))
      end as member
    from (
      select email from unnest(${request.emails}::text[]) as email
      union all
      select t.email from test_group g
      join test_address t on t.client_id = g.client_id and t.testaddress_id = any(g.address_ids)
      where g.client_id = ${clientId} and g.id = ${request.test_group_id ?? null} and g.deleted_at is null
        and t.active and t.deleted_at is null
    ) as wanted
    left join test_address t on t.client_id = ${clientId} and lower(t.email) = lower(wanted.email)
      and t.deleted_at is null
    order by lower(wanted.email)`.execute(db)
  return rows.map(({ email, member }) => ({
    email,
    member: request.member_id === 0 ? { ...shown, ...member, email } : shown,
  }))
}

async function assertTestGroup(db: Db, clientId: number, id: number | null) {
  if (id === null) return
  const group = await db
    .selectFrom('test_group')
    .select('id')
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!group) throw invalid([fieldError('test_group_id', 'field.not_there')])
}
