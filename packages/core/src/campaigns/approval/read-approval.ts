import type { Approval } from '@emma/contract/approval.ts'
import type { Db } from '@emma/db/connection.ts'
import { type Actor, can, type TenantScope } from '../../resource/actor.ts'
import { type Approvable, changedParts, findApprovable, stateOf } from './approval-record.ts'
import { approvePermission, findApprovers } from './find-approvers.ts'
import type { ApprovalSubject } from './read-sent.ts'

/**
 * State of an approval: who asked and who approved, what was changed since, and who may approve.
 *
 * @throws EmmaError `not_found`
 */
export async function readApproval(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  of: ApprovalSubject,
): Promise<Approval> {
  return presentApproval(db, actor, await findApprovable(db, scope, of))
}

/** An approval as the API shows it to a user. */
async function presentApproval(db: Db, actor: Actor, record: Approvable): Promise<Approval> {
  const { of, stored, sent, isRequired, isOpen } = record
  const excluded = cannotApprove(record)
  return {
    required: isRequired && isOpen,
    state: stateOf(record),
    hash: sent.hash,
    request: stored && {
      by: { id: stored.requested_by, name: stored.requested_name },
      at: stored.requested_at,
      note: stored.request_note,
    },
    approved:
      stored?.approved_by && stored.approved_at
        ? {
            by: { id: stored.approved_by, name: stored.approved_name },
            at: stored.approved_at,
            note: stored.approval_note,
          }
        : null,
    changed: changedParts(record),
    approvers: await findApprovers(db, of.clientId, excluded),
    may_approve: actor.userId !== null && can(actor, approvePermission) && !excluded.includes(actor.userId),
  }
}

/** Users who cannot approve: who asked, and who changed it last. */
export function cannotApprove({
  stored,
  changedBy,
}: Pick<Approvable, 'stored' | 'changedBy'>): (number | null)[] {
  return [stored?.requested_by ?? null, changedBy]
}
