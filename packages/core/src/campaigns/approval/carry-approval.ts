import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { findApprovable, stateOf } from './approval-record.ts'
import { readSent } from './read-sent.ts'

/**
 * Gives the campaign of a run the approval of its recurring campaign, if that is approved as it is. Without it the run
 * is refused like any campaign that is not approved.
 *
 * @param revision of the recurring campaign that the run was made from
 * @throws EmmaError `conflict` when the recurring campaign or its content is changed at this moment
 */
export async function carryApproval(
  tx: Db,
  { clientId, recurringId, revision }: { clientId: number; recurringId: number; revision: number },
  campaignId: number,
): Promise<void> {
  const scope = { clientIds: [clientId] }
  const recurring = { clientId, subject: 'recurring', id: recurringId } as const
  const before = await findApprovable(tx, scope, recurring, { lock: true })
  if (!before.isRequired || stateOf(before) !== 'approved') return
  const sent = await readSent(tx, { clientId, subject: 'campaign', id: campaignId })
  const after = await readSent(tx, recurring)
  const isSame = after?.hash === before.sent.hash && after.revisions === before.sent.revisions
  if (!sent || !isSame || before.revision !== revision)
    throw new EmmaError('conflict', fault('refusal.moved_campaign'))
  await sql`
    insert into campaign_approval (client_id, subject, subject_id, hash, parts, requested_by, requested_at, request_note,
      approved_by, approved_at, approval_note)
    select client_id, 'campaign', ${campaignId}, ${sent.hash}, ${JSON.stringify(sent.parts)}::jsonb, requested_by,
      requested_at, request_note, approved_by, approved_at, approval_note
    from campaign_approval
    where client_id = ${clientId} and subject = 'recurring' and subject_id = ${recurringId}`.execute(tx)
}
