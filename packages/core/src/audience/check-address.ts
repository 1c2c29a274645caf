import type { checkAddress as contract } from '@emma/contract/actions/address-check.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { Db } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { type Actor, can } from '../resource/actor.ts'
import { isInForce } from './blacklists/renew-entry.ts'
import { matchedValue, subjectOf } from './blacklists/suppression.ts'
import { readFrequency } from './contact-frequency.ts'
import { readPause } from './contact-pause.ts'
import { membersTable } from './datasources/datasource.ts'
import { memberReason } from './eligibility.ts'

type AddressCheck = Answer<typeof contract>

const MAILS_SHOWN = 20

/**
 * Everything that stops mail of a client to an address, and the last mails. Users without access to suppression lists
 * learn that an entry exists; only superadmins learn more about the internal list.
 */
export async function checkAddress(
  db: Db,
  actor: Actor,
  clientId: number,
  email: string,
): Promise<AddressCheck> {
  const members = await findMembers(db, clientId, email)
  const pause = await readPause(db, clientId, email)
  return {
    email,
    members,
    entries: [
      ...(await findInternalEntries(db, clientId, email, actor.superadmin)),
      ...(await findEntries(db, clientId, email, can(actor, 'EmmaBlacklist:get'))),
    ],
    paused_until: pause?.toISOString() ?? null,
    frequency: await readFrequency(db, clientId, email),
    mails: await findMails(
      db,
      clientId,
      members.map(member => member.member_id),
    ),
  }
}

async function findMembers(db: Db, clientId: number, email: string): Promise<AddressCheck['members']> {
  const tables = await db
    .selectFrom('member_table')
    .select(['member_table_id', 'name', 'doi_required'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('member_table_id')
    .execute()
  if (tables.length === 0) return []
  const found = tables.map(
    ({ member_table_id: id, name, doi_required: isRequired }) => sql`
      select ${id}::bigint as member_table_id, ${name}::text as datasource, m.member_id,
        ${memberReason(sql`${isRequired}::boolean`)}::text as reason, m.datejoin, m.dateunjoin, m.hardbounced_at,
        m.complained_at, m.softbounce_count, m.doi_state
      from ${membersTable(id)} as m
      where m.client_id = ${clientId}::bigint and lower(m.email) = ${addressKey(email)}`,
  )
  const { rows } = await sql<AddressCheck['members'][number]>`
    ${sql.join(found, sql` union all `)}`.execute(db)
  return rows
}

async function findEntries(
  db: Db,
  clientId: number,
  email: string,
  mayRead: boolean,
): Promise<AddressCheck['entries']> {
  const subject = subjectOf(sql`${email}::text`)
  const { rows } = await sql<AddressCheck['entries'][number]>`
    select b.kind, b.blacklist_id, b.name, b.match, s.value, s.reason, s.source, u.username as added_by, s.created_at,
      s.expires_at, ${isInForce(sql.ref('s.expires_at'))} as in_force
    from blacklist as b
    join blacklist_entry as s on s.client_id = b.client_id and s.blacklist_id = b.blacklist_id
      and s.value = case b.match
        when 'domain' then ${matchedValue.domain(subject)}
        when 'md5' then ${matchedValue.md5(subject)}
        when 'sha256' then ${matchedValue.sha256(subject)}
        else ${matchedValue.email(subject)}
      end
    left join app_user as u on u.id = s.added_by
    where b.client_id = ${clientId} and b.deleted_at is null
    order by b.kind desc, b.name, b.blacklist_id`.execute(db)
  return mayRead
    ? rows
    : rows.map(row => ({ ...row, name: null, reason: null, source: null, added_by: null }))
}

async function findInternalEntries(
  db: Db,
  clientId: number,
  email: string,
  mayRead: boolean,
): Promise<AddressCheck['entries']> {
  const subject = subjectOf(sql`${email}::text`)
  const { rows } = await sql<AddressCheck['entries'][number]>`
    select 'internal' as kind, null::bigint as blacklist_id, null::text as name, s.match, s.value, s.reason,
      null::text as source, u.username as added_by, s.created_at, s.expires_at,
      ${isInForce(sql.ref('s.expires_at'))} and not exists (
        select from internal_blacklist_exclude as x
        where x.value in (${subject.address}, ${subject.domain})
          and (x.client_id is null or x.client_id = ${clientId}::bigint)) as in_force
    from internal_blacklist_entry as s
    left join app_user as u on u.id = s.added_by
    where s.match = 'email' and s.value = ${matchedValue.email(subject)}
      or s.match = 'domain' and s.value = ${matchedValue.domain(subject)}
      or s.match = 'sha256' and s.value = ${matchedValue.sha256(subject)}`.execute(db)
  return mayRead ? rows : rows.map(row => ({ ...row, reason: null, added_by: null }))
}

async function findMails(
  db: Db,
  clientId: number,
  memberIds: readonly number[],
): Promise<AddressCheck['mails']> {
  const { rows } = await sql<AddressCheck['mails'][number]>`
    select d.campagne_id, c.name as campaign, coalesce(d.recorded_at, d.claimed_at, d.due_at) as ts, d.state,
      d.skip_reason, d.reply
    from delivery as d
    join campaign as c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
    where d.client_id = ${clientId} and d.member_id = any(${memberIds}::bigint[])
    order by ts desc nulls last limit ${MAILS_SHOWN}`.execute(db)
  return rows
}
