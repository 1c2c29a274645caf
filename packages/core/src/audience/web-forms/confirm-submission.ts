import { isFrequency } from '@emma/contract/contact-frequency.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { controls } from '@emma/contract/web-forms/render-form.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { setFrequency } from '../contact-frequency.ts'
import { membersTable, readDatasource } from '../datasources/datasource.ts'
import type { StoredRequest } from '../find-request.ts'
import { logMemberEvent } from '../members/member-event.ts'
import { valueReader } from '../members/member-values.ts'

/**
 * Confirms the web form submission that caused a confirmation request, if one did, and writes its values to the member,
 * whose row is locked, and its contact frequency. Columns that were removed meanwhile, or do not take the value any more, are left out.
 */
export async function confirmSubmission(
  tx: Db,
  request: Pick<StoredRequest, 'client_id' | 'member_table_id' | 'doi_request_id' | 'email'>,
): Promise<void> {
  const { client_id, member_table_id, doi_request_id: doiRequestId, email } = request
  const { rows } = await sql<{
    member_id: number
    webform_id: number
    changes: Record<string, string | null> | null
  }>`
    with pending as (
      select submission_id, changes from webform_submission
      where client_id = ${client_id} and doi_request_id = ${doiRequestId} and state = 'pending' for update
    )
    update webform_submission as s set state = 'confirmed', confirmed_at = now(), changes = null
    from pending
    where s.client_id = ${client_id} and s.submission_id = pending.submission_id
    returning s.member_id, s.webform_id, pending.changes`.execute(tx)
  const [submission] = rows
  if (!submission?.changes) return
  const source = await readDatasource(tx, { clientIds: [client_id] }, member_table_id)
  const changes = usableChanges(submission.changes, source.columns)
  const frequency = submission.changes[controls.frequency] ?? ''
  if (isFrequency(frequency)) await setFrequency(tx, client_id, email, frequency)
  if (changes.length === 0) return
  const assignments = changes.map(([name, value]) => sql`${sql.id(name)} = ${value}`)
  await sql`
    update ${membersTable(member_table_id)} set ${sql.join(assignments)}
    where client_id = ${client_id} and member_id = ${submission.member_id}`.execute(tx)
  await logMemberEvent(tx, source, submission.member_id, {
    type: 'edit',
    source: 'form',
    webform_id: submission.webform_id,
    fields: changes.map(([name]) => name),
  })
}

/** A field that was left empty keeps the member's value. */
function usableChanges(
  changes: Readonly<Record<string, string | null>>,
  columns: readonly MemberColumn[],
): [name: string, value: string][] {
  return columns
    .filter(column => !column.is_fixed)
    .flatMap((column): [string, string][] => {
      const { column_name: name } = column
      const value = changes[name] ?? null
      const read = value === null ? null : valueReader(column)(value)
      return typeof read === 'string' ? [[name, read]] : []
    })
}
