import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { topicName } from '@emma/contract/topic-name.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { systemActor } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import { membersTable, readDatasource } from '../datasources/datasource.ts'
import type { EmailRecipient } from '../members/email-recipient.ts'
import { logMemberEvent } from '../members/member-event.ts'

/** A topic of a datasource, and whether a member has chosen it. */
export interface Topic {
  column: string
  /** Name in the language, else in another, else the label of the column. */
  name: string
  isChosen: boolean
}

type Member = Pick<EmailRecipient, 'table' | 'memberId'>

/** Topics of a member's datasource, in the order of its columns. */
export async function readTopics(db: Db, { table, memberId }: Member, lang: string): Promise<Topic[]> {
  const columns = await topicColumns(db, table)
  if (columns.length === 0) return []
  const values = await readValues(db, { table, memberId }, columns)
  return columns.map(({ column_name: column, topic, label }) => ({
    column,
    name: topicName({ topic, label }, lang),
    isChosen: values[column] === true,
  }))
}

/**
 * Stores a member's choice of topics, with the change in its activity and in the audit log.
 * @param choice by column; unknown columns are ignored, others keep their value
 */
export async function setTopics(
  db: Db,
  { table, memberId }: Member,
  choice: ReadonlyMap<string, boolean>,
): Promise<void> {
  const columns = (await topicColumns(db, table)).filter(({ column_name }) => choice.has(column_name))
  if (columns.length === 0) return
  await transaction(db, async tx => {
    const before = await readValues(tx, { table, memberId }, columns, true)
    const changed = columns
      .map(({ column_name }) => [column_name, choice.get(column_name) === true] as const)
      .filter(([name, isChosen]) => (before[name] === true) !== isChosen)
    if (changed.length === 0) return
    await sql`
      update ${membersTable(table.member_table_id)}
      set ${sql.join(changed.map(([name, isChosen]) => sql`${sql.id(name)} = ${isChosen}`))},
        updated_at = now(), revision = revision + 1
      where client_id = ${table.client_id} and member_id = ${memberId}`.execute(tx)
    const fields = changed.map(([name]) => name)
    await logMemberEvent(tx, table, memberId, { type: 'edit', source: 'preferences', fields })
    await logChange(tx, systemActor(table.client_id), {
      clientId: table.client_id,
      object: 'member',
      id: memberId,
      action: 'update',
      changes: Object.fromEntries(
        changed.map(([name, isChosen]) => [name, [before[name] ?? null, isChosen]]),
      ),
    })
  })
}

async function topicColumns(db: Db, table: Member['table']): Promise<MemberColumn[]> {
  const { columns } = await readDatasource(db, { clientIds: [table.client_id] }, table.member_table_id)
  return columns.filter(({ topic, data_type }) => topic !== null && data_type === 'bool')
}

async function readValues(
  db: Db,
  { table, memberId }: Member,
  columns: readonly MemberColumn[],
  isLocked = false,
): Promise<Record<string, boolean | null>> {
  const { rows } = await sql<Record<string, boolean | null>>`
    select ${sql.join(columns.map(column => sql.id(column.column_name)))}
    from ${membersTable(table.member_table_id)}
    where client_id = ${table.client_id} and member_id = ${memberId}
    ${isLocked ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? {}
}
