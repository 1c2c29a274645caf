import type { Sql } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import type { ClaimedRow } from '../outcome.ts'

/** A claimed row with what its template may show, or why it must not be sent any more. */
export type Recipient =
  | { row: ClaimedRow; member: Record<string, unknown> }
  | { row: ClaimedRow; skip: 'unsubscribed' | 'hardbounce' | 'complaint' }

/**
 * Reads the members behind claimed rows of one campaign, as they are now: who unsubscribed, bounced or complained since
 * the campaign was expanded is not written to. A member who is gone counts as unsubscribed.
 */
export async function readRecipients(
  sql: Sql,
  clientId: number,
  { memberTableId, columns }: MemberSource,
  rows: readonly ClaimedRow[],
): Promise<Recipient[]> {
  const members = await readMembers(
    sql,
    clientId,
    { memberTableId, columns },
    idsOf(rows, row => row.memberId),
  )
  const seeds = await readSeeds(
    sql,
    clientId,
    idsOf(rows, row => -row.memberId),
  )
  return rows.map(row => {
    const member = row.memberId > 0 ? members.get(row.memberId) : seeds.get(-row.memberId)
    if (member === undefined || isSet(member.dateunjoin)) return { row, skip: 'unsubscribed' }
    if (isSet(member.hardbounced_at)) return { row, skip: 'hardbounce' }
    if (isSet(member.complained_at)) return { row, skip: 'complaint' }
    return { row, member }
  })
}

/** Where the members are, and what of them is needed. */
export interface MemberSource {
  memberTableId: number | null
  /** Null: all columns. Those that say whether a member may be written to are read anyway. */
  columns: readonly string[] | null
}

const ALWAYS = ['member_id', 'dateunjoin', 'hardbounced_at', 'complained_at']

function idsOf(rows: readonly ClaimedRow[], idOf: (row: ClaimedRow) => number): number[] {
  return rows.map(idOf).filter(id => id > 0)
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined
}

type Member = Record<string, unknown>

async function readMembers(
  sql: Sql,
  clientId: number,
  { memberTableId, columns }: MemberSource,
  ids: readonly number[],
): Promise<Map<number, Member>> {
  if (memberTableId === null || ids.length === 0) return new Map()
  const read = async (selected: RawBuilder<unknown>) => {
    const { rows } = await raw<Member & { member_id: number }>`
      select ${selected} from ${raw.id('members', `t${memberTableId}`)}
      where client_id = ${clientId} and member_id = any(${ids}::bigint[])`.execute(sql)
    return new Map(rows.map(row => [row.member_id, row]))
  }
  if (columns === null) return read(raw`*`)
  const needed = [...new Set([...ALWAYS, ...columns])]
  try {
    return await read(raw.join(needed.map(name => raw.id(name))))
  } catch (error) {
    // A column was dropped since the campaign started: its placeholders are empty from now on.
    if (isUndefinedColumn(error)) return read(raw`*`)
    throw error
  }
}

function isUndefinedColumn(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42703'
}
async function readSeeds(sql: Sql, clientId: number, ids: readonly number[]): Promise<Map<number, Member>> {
  if (ids.length === 0) return new Map()
  const rows = await sql
    .selectFrom('test_address')
    .select(['testaddress_id', 'email', 'firstname', 'lastname', 'member_data'])
    .where('client_id', '=', clientId)
    .where('testaddress_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ testaddress_id: id, email, firstname, lastname, member_data: data }) => [
      id,
      { ...fieldsOf(data), email, firstname, lastname, member_id: -id },
    ]),
  )
}

function fieldsOf(value: unknown): Member {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
