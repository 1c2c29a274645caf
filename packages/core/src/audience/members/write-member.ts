import type { createMember as createAction } from '@emma/contract/actions/audience.ts'
import { EmmaError, type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { MemberRecord } from '@emma/contract/resources/member.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../resource/actor.ts'
import type { WriteOptions } from '../../resource/operations.ts'
import { type Datasource, membersTable } from '../datasources/datasource.ts'
import { markChanged, refreshSmallStats } from '../datasources/datasource-stats.ts'
import { findMember } from './list-members.ts'
import { writableFixedColumns } from './member-columns.ts'
import { difference, logChange } from '../../resource/log-change.ts'
import { logMemberEvent } from './member-event.ts'
import { valueReader } from './member-values.ts'
import { keepOptOuts, restoreOptOuts } from '../blacklists/opt-out.ts'
import { requestConfirmation } from '../double-opt-in.ts'
import { resubscribe, unsubscribe } from '../subscription.ts'
import { addressKey } from '@emma/mail/address.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'

/** Values by column in a write. */
type MemberInput = z.output<typeof createAction.body>

/**
 * Creates a member. Opt-outs and bounces of a deleted member with the address apply again.
 *
 * @throws EmmaError `invalid` with each field whose value does not fit its column; `unique_violation` when the address
 * is in the datasource already
 */
export async function createMember(
  db: Db,
  actor: Actor,
  source: Datasource,
  input: MemberInput,
): Promise<MemberRecord> {
  const values = readInput(source, input, true)
  const created = await transaction(db, async tx => {
    const names = Object.keys(values)
    const made = await sql<{ member_id: number }>`
      insert into ${membersTable(source.member_table_id)}
        (client_id, ${sql.join(names.map(name => sql.id(name)))})
      values (${source.client_id}, ${sql.join(names.map(name => values[name]))})
      returning member_id`.execute(tx)
    const memberId = made.rows[0]?.member_id ?? 0
    await restoreOptOuts(source, sql`select ${values.email}::text as email`).execute(tx)
    await logMemberEvent(tx, source, memberId, { type: 'join', source: 'console', user_id: actor.userId })
    if (source.doi_required && source.doi_request_new && values.doi_state === undefined)
      await requestConfirmation(tx, {
        table: source,
        memberId,
        source: actor.trail?.tokenId ? 'api' : 'console',
        isNew: true,
        userId: actor.userId ?? undefined,
        ip: actor.trail?.ip ?? undefined,
      })
    await markChanged(tx, source)
    return keepChange(tx, actor, source, memberId, 'create', {})
  })
  await refreshSmallStats(db, source)
  return created
}

/**
 * Changes the given fields of a member; null clears. A new address starts without bounces, and gets opt-outs stored for
 * it. Only the subscriber can confirm a pending double opt-in.
 *
 * @throws EmmaError as createMember, and `not_found`, `faulty_revision`
 */
export async function patchMember(
  db: Db,
  actor: Actor,
  source: Datasource,
  memberId: number,
  input: MemberInput,
  { revision }: WriteOptions,
): Promise<MemberRecord> {
  const values = readInput(source, input, false)
  const after = await transaction(db, async tx => {
    const before = await lockMember(tx, source, memberId, revision)
    if (before.doi_state === 'pending' && (values.doi_state ?? 'pending') !== 'pending')
      throw invalid([fieldError('doi_state', 'field.doi_pending')])
    const isMoved =
      values.email !== undefined && addressKey(String(values.email)) !== addressKey(before.email)
    const isThis = sql`m.member_id = ${memberId}`
    if (isMoved) await keepOptOuts(source, isThis).execute(tx)
    const changed = Object.keys(values).filter(name => String(before[name]) !== String(values[name]))
    await updateMember(tx, source, memberId, [
      ...Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`),
      ...(isMoved ? [sql`hardbounced_at = null`, sql`softbounce_count = 0`] : []),
    ])
    if (isMoved) await restoreOptOuts(source, sql`select ${values.email}::text as email`).execute(tx)
    if (changed.length > 0)
      await logMemberEvent(tx, source, memberId, {
        type: 'edit',
        source: 'console',
        user_id: actor.userId,
        fields: changed,
      })
    await markChanged(tx, source)
    return keepChange(tx, actor, source, memberId, 'update', before)
  })
  await refreshSmallStats(db, source)
  return after
}

/** Deletes a member. Its events stay in the log, and its opt-outs stay in force for its address (keepOptOuts). */
export async function deleteMember(
  db: Db,
  actor: Actor,
  source: Datasource,
  memberId: number,
  { revision }: WriteOptions,
): Promise<void> {
  await transaction(db, async tx => {
    const { email } = await lockMember(tx, source, memberId, revision)
    await keepOptOuts(source, sql`m.member_id = ${memberId}`).execute(tx)
    await sql`delete from ${membersTable(source.member_table_id)}
      where client_id = ${source.client_id} and member_id = ${memberId}`.execute(tx)
    await sql`delete from member_hours
      where client_id = ${source.client_id} and member_table_id = ${source.member_table_id}
        and member_id = ${memberId}`.execute(tx)
    await markChanged(tx, source)
    const entry = { clientId: source.client_id, object: 'member', id: memberId, action: 'delete' }
    await logChange(tx, actor, { ...entry, changes: { email: [email, null] } })
  })
  await refreshSmallStats(db, source)
}

/** Unsubscribes a member. Idempotent. */
export async function unsubscribeMember(
  db: Db,
  actor: Actor,
  source: Datasource,
  memberId: number,
): Promise<MemberRecord> {
  await findMember(db, source, memberId)
  await unsubscribe(db, source, [{ memberId, campaignId: null }], { source: 'console', actor })
  await refreshSmallStats(db, source)
  return findMember(db, source, memberId)
}

/** Resubscribes a member; the history stays. The reason is stored as proof, with the user. */
export async function resubscribeMember(
  db: Db,
  actor: Actor,
  source: Datasource,
  memberId: number,
  reason: string,
): Promise<MemberRecord> {
  await findMember(db, source, memberId)
  await resubscribe(db, source, { memberId, campaignId: null }, { source: 'console', actor, reason })
  await refreshSmallStats(db, source)
  return findMember(db, source, memberId)
}

/** Writes a change of a member to the audit log and returns the member. Erasure deletes these entries. */
async function keepChange(
  tx: Db,
  actor: Actor,
  source: Datasource,
  memberId: number,
  action: string,
  before: Partial<MemberRecord>,
): Promise<MemberRecord> {
  const after = await findMember(tx, source, memberId)
  const names = source.columns.map(column => column.column_name).filter(name => name !== 'updated_at')
  const changes = difference(before, after, names)
  await logChange(tx, actor, { clientId: source.client_id, object: 'member', id: memberId, action, changes })
  return after
}

async function updateMember(
  tx: Db,
  source: Datasource,
  memberId: number,
  assignments: RawBuilder<unknown>[],
): Promise<void> {
  await sql`update ${membersTable(source.member_table_id)}
    set ${sql.join([...assignments, sql`updated_at = now()`, sql`revision = revision + 1`])}
    where client_id = ${source.client_id} and member_id = ${memberId}`.execute(tx)
}

export async function lockMember(
  tx: Db,
  source: Datasource,
  memberId: number,
  revision: number | null,
): Promise<MemberRecord> {
  await sql`select from ${membersTable(source.member_table_id)}
    where client_id = ${source.client_id} and member_id = ${memberId} for update`.execute(tx)
  const row = await findMember(tx, source, memberId)
  if (revision !== null && row.revision !== revision) throw new EmmaError('faulty_revision')
  return row
}

/** Reads the input of a form or request by column; ignores read-only fields of a record that is sent back. */
function readInput(source: Datasource, input: MemberInput, isNew: boolean): Record<string, string | null> {
  const columns = new Map(source.columns.map(column => [column.column_name, column]))
  const errors: FieldError[] = []
  const values: Record<string, string | null> = {}
  for (const [name, value] of Object.entries(input)) {
    const column = columns.get(name)
    if (column?.is_fixed && !writableFixedColumns.has(name)) continue
    if (!column && passedOver.has(name)) continue
    if (!column) {
      errors.push(fieldError(name, 'field.no_column'))
      continue
    }
    const read = readValue(column, value)
    if (typeof read === 'string' || read === null) values[name] = read
    else errors.push({ field: name, ...read })
  }
  const faulty = new Set(errors.map(error => error.field))
  errors.push(...missingValues(source.columns, values, isNew).filter(({ field }) => !faulty.has(field)))
  if (errors.length > 0) throw invalid(errors)
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== null || !defaulted.has(name)),
  )
}

/** Fields of a member's record that are no columns. */
const passedOver = new Set(
  'member_id member_table_id client_id email_hash active doi_ip revision id type relationships'.split(' '),
)
/** Columns that take the table's default when empty. */
const defaulted = new Set(['datejoin', 'doi_state'])

function missingValues(
  columns: readonly MemberColumn[],
  values: Record<string, string | null>,
  isNew: boolean,
): FieldError[] {
  return columns
    .filter(column => !column.nullable && (!column.is_fixed || column.column_name === 'email'))
    .filter(({ column_name: name }) => (isNew ? (values[name] ?? null) : values[name]) === null)
    .map(column => fieldError(column.column_name, 'field.required'))
}

function readValue(column: MemberColumn, value: unknown): string | null | Fault {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return fault('field.single_value')
  const text = String(value)
  if (!text.isWellFormed()) return fault('field.broken_characters')
  if (text.trim() === '') return null
  return valueReader(column)(text)
}
