import type { Approval } from '@emma/contract/approval.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import { type Approvable, assertOpen, findApprovable, publishReview, stateOf } from './approval-record.ts'
import { notifyApproved, notifyRequested, notifyRevoked } from './notify-approval.ts'
import { cannotApprove, readApproval } from './read-approval.ts'
import type { ApprovalSubject } from './read-sent.ts'

/**
 * Asks for the approval of a campaign as it is now; replaces an earlier request or approval.
 *
 * @throws EmmaError `not_found`, `wrong_state` when it was started, or the client's campaigns need no approval
 */
export function requestApproval(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  of: ApprovalSubject,
  note: string | null,
): Promise<Approval> {
  return decide(db, actor, scope, of, async (tx, userId, record) => {
    const { hash, parts, startdate } = record.sent
    const { clientId, subject, id } = of
    await sql`
      insert into campaign_approval (client_id, subject, subject_id, hash, parts, startdate, requested_by, request_note)
      values (${clientId}, ${subject}, ${id}, ${hash}, ${JSON.stringify(parts)}::jsonb, ${startdate}::timestamptz,
        ${userId}, ${note})
      on conflict (client_id, subject, subject_id) do update set
        hash = excluded.hash, parts = excluded.parts, startdate = excluded.startdate,
        requested_by = excluded.requested_by, requested_at = now(), request_note = excluded.request_note,
        approved_by = null, approved_at = null, approval_note = null`.execute(tx)
    await logDecision(tx, actor, record, 'requestApproval', { hash, note })
    await notifyRequested(tx, userId, record, note)
  })
}

/**
 * Approves a campaign. The approval holds while everything that is sent stays as it is.
 *
 * @param hash what the user looked at
 * @throws EmmaError `not_found`; `forbidden` for who asked or made the last change; `conflict` when it is not what the
 * user looked at; `wrong_state` when nobody has asked for the approval of this version
 */
export function approve(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  of: ApprovalSubject,
  { hash, note }: { hash: string; note: string | null },
): Promise<Approval> {
  return decide(db, actor, scope, of, async (tx, userId, record) => {
    if (cannotApprove(record).includes(userId))
      throw new EmmaError('forbidden', fault('refusal.approval_own'))
    if (record.sent.hash !== hash) throw new EmmaError('conflict', fault('refusal.approval_other_version'))
    if (stateOf(record) !== 'requested')
      throw new EmmaError('wrong_state', fault('refusal.approval_unrequested'))
    const { clientId, subject, id } = of
    await sql`
      update campaign_approval set approved_by = ${userId}, approved_at = now(), approval_note = ${note}
      where client_id = ${clientId} and subject = ${subject} and subject_id = ${id} and hash = ${hash}
        and approved_at is null`.execute(tx)
    await logDecision(tx, actor, record, 'approve', { hash, note })
    await notifyApproved(tx, userId, record, note)
  })
}

/**
 * Removes an approval, or the request for it.
 *
 * @throws EmmaError `not_found`, `wrong_state` when there is none or the campaign was started
 */
export function revokeApproval(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  of: ApprovalSubject,
  note: string | null,
): Promise<Approval> {
  return decide(db, actor, scope, of, async (tx, userId, record) => {
    if (!record.stored) throw new EmmaError('wrong_state', fault('refusal.approval_none'))
    const { clientId, subject, id } = of
    await sql`
      delete from campaign_approval
      where client_id = ${clientId} and subject = ${subject} and subject_id = ${id}`.execute(tx)
    await logDecision(tx, actor, record, 'revokeApproval', { hash: null, note })
    await notifyRevoked(tx, userId, record, note)
  })
}

/** Reads and locks the campaign, makes the decision of a user, and returns the approval afterwards. */
function decide(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  of: ApprovalSubject,
  make: (tx: Db, userId: number, record: Approvable) => Promise<void>,
): Promise<Approval> {
  return transaction(db, async tx => {
    const record = await findApprovable(tx, scope, of, { lock: true })
    assertOpen(record)
    // EMMA itself decides nothing.
    if (actor.userId === null) throw new EmmaError('forbidden')
    await make(tx, actor.userId, record)
    if (of.subject === 'campaign') await publishReview(tx, of.clientId, of.id)
    return readApproval(tx, actor, scope, of)
  })
}

function logDecision(
  tx: Db,
  actor: Actor,
  { of, stored, revision }: Approvable,
  action: string,
  { hash, note }: { hash: string | null; note: string | null },
): Promise<void> {
  return logChange(tx, actor, {
    clientId: of.clientId,
    object: of.subject,
    id: of.id,
    action,
    changes: {
      approval_hash: [stored?.hash ?? null, hash],
      revision: [null, revision],
      ...(note !== null && { note: [null, note] }),
    },
  })
}
