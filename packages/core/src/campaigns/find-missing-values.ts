import { fault, reasonOf } from '@emma/contract/faults.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { ShownValue } from '@emma/mail/template/check-variables.ts'
import { sql } from 'kysely'
import { readDatasource } from '../audience/datasources/datasource.ts'
import { fromSegment, readSegment, segmentMemory } from '../audience/segments/segment-members.ts'
import { audienceQuestion } from './audience-question.ts'
import type { Campaign } from './campaign-operations.ts'
import type { Finding } from './finding.ts'

/** Limit of reported columns. */
const mostColumns = 50

/**
 * Warns for each member column that the mail displays without a default, if members of the campaign's segment have no
 * value in it: their mails would have a gap. One scan counts all columns; a mail without such values costs nothing.
 *
 * @throws EmmaError `not_found` for a deleted segment, `invalid` for rules that do not fit its datasource
 */
export async function findMissingValues(
  db: Db,
  campaign: Campaign,
  shown: readonly ShownValue[],
): Promise<(Finding & { blocks: false })[]> {
  const names = new Set(shown.flatMap(one => (one.root === 'member' && !one.hasDefault ? [one.name] : [])))
  if (names.size === 0 || campaign.list_id === null) return []
  const { list_id: listId, at = null } = audienceQuestion(campaign)
  const scope = { clientIds: [campaign.client_id] }
  return transaction(db, async tx => {
    const segment = await readSegment(tx, scope, Number(listId))
    const source = await readDatasource(tx, scope, segment.member_table_id)
    const columns = source.columns.map(({ column_name }) => column_name).filter(name => names.has(name))
    const counted = columns.slice(0, mostColumns)
    if (counted.length === 0) return []
    await segmentMemory.execute(tx)
    const counts = counted.map(name => sql`count(*) filter (where ${sql.ref(`m.${name}`)} is null)`)
    const { rows } = await sql<{ missing: number[] }>`
      select array[${sql.join(counts)}] as missing ${fromSegment(source, segment, at)}`.execute(tx)
    return counted.flatMap((column, index) => {
      const members = Number(rows[0]?.missing[index] ?? 0)
      return members === 0 ? [] : [findingOf(column, members)]
    })
  })
}

function findingOf(column: string, members: number): Finding & { blocks: false } {
  const path = `member.${column}`
  const reason = fault('campaign.missing_values', {
    path,
    column,
    members,
    example: `{{ ${path} | default: "…" }}`,
  })
  return { code: 'missing_values', field: 'message_id', ...reasonOf(reason), blocks: false }
}
