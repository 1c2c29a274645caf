import { type Approval, type ApprovalPart, approvalParts } from '@emma/contract/approval.ts'
import { approvedTypes, campaignState } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import { type ApprovalSubject, readSent, type Sent } from './read-sent.ts'

/** A request or approval as stored, with the names of the users. */
export interface StoredApproval {
  hash: string
  parts: Record<ApprovalPart, string>
  requested_by: number
  requested_name: string
  requested_at: string
  request_note: string | null
  approved_by: number | null
  approved_name: string
  approved_at: string | null
  approval_note: string | null
}

/** A campaign or recurring campaign with its approval. */
export interface Approvable {
  of: ApprovalSubject
  name: string
  revision: number
  /** User who made the last change. */
  changedBy: number | null
  /** The client's setting, and whether the approval can still be changed. */
  isRequired: boolean
  isOpen: boolean
  sent: Sent
  stored: StoredApproval | null
}

/** States in which a campaign's approval can change: before its recipients are fixed. */
const openStates: readonly number[] = [campaignState.draft, campaignState.scheduled, campaignState.held]

/**
 * Reads a campaign or recurring campaign of one client with its approval.
 *
 * @param lock until the end of the transaction, for a decision
 * @throws EmmaError `not_found`
 */
export async function findApprovable(
  db: Db,
  scope: TenantScope,
  of: ApprovalSubject,
  { lock = false }: { lock?: boolean } = {},
): Promise<Approvable> {
  const { clientId, subject, id } = of
  if (scope.clientIds !== 'all' && !scope.clientIds.includes(clientId)) throw new EmmaError('not_found')
  const isCampaign = subject === 'campaign'
  const open = isCampaign
    ? sql`s.valid = any(${openStates}::int[]) and s.expanded_at is null and s.ctype = any(${approvedTypes}::int[])`
    : sql`true`
  const { rows } = await sql<Omit<Approvable, 'of' | 'sent' | 'stored'>>`
    select s.name, s.revision, s.updated_by as "changedBy", k.campaign_approval as "isRequired", (${open}) as "isOpen"
    from ${sql.table(subject)} as s join client as k on k.client_id = s.client_id
    where s.client_id = ${clientId}::bigint and ${sql.ref(isCampaign ? 's.campagne_id' : 's.recurring_id')} = ${id}::bigint
      and s.deleted_at is null ${lock ? sql`for update of s` : sql``}`.execute(db)
  const sent = await readSent(db, of)
  const [found] = rows
  if (!found || !sent) throw new EmmaError('not_found')
  return { of, ...found, sent, stored: await findStored(db, of) }
}

/** @throws EmmaError `wrong_state` if its approval cannot be changed any more, or is not needed */
export function assertOpen({ isRequired, isOpen }: Approvable): void {
  if (!isRequired) throw new EmmaError('wrong_state', fault('refusal.approval_off'))
  if (!isOpen) throw new EmmaError('wrong_state', fault('refusal.approval_started'))
}

export function stateOf({ stored, sent }: Pick<Approvable, 'stored' | 'sent'>): Approval['state'] {
  if (!stored) return 'none'
  if (stored.hash !== sent.hash) return 'outdated'
  return stored.approved_at === null ? 'requested' : 'approved'
}

/** Parts that were changed since the request or approval. */
export function changedParts({ stored, sent }: Pick<Approvable, 'stored' | 'sent'>): ApprovalPart[] {
  return stored ? approvalParts.filter(part => stored.parts[part] !== sent.parts[part]) : []
}

/** Tells open consoles that the approval or the comments of a campaign changed, when the transaction commits. */
export function publishReview(tx: Db, clientId: number, campaignId: number): Promise<void> {
  return publish(tx, {
    client_id: clientId,
    permission: 'EmmaCampaign:get',
    type: 'CAMPAIGN_REVIEW',
    data: { campagne_id: campaignId },
  })
}

async function findStored(
  db: Db,
  { clientId, subject, id }: ApprovalSubject,
): Promise<StoredApproval | null> {
  const nameOf = (user: string) =>
    sql`coalesce(nullif(trim(concat(${sql.ref(`${user}.firstname`)}, ' ', ${sql.ref(`${user}.lastname`)})), ''),
      ${sql.ref(`${user}.username`)}, '')`
  const { rows } = await sql<StoredApproval>`
    select a.hash, a.parts, a.requested_by, ${nameOf('r')} as requested_name, a.requested_at, a.request_note,
      a.approved_by, ${nameOf('p')} as approved_name, a.approved_at, a.approval_note
    from campaign_approval a
    left join app_user r on r.id = a.requested_by
    left join app_user p on p.id = a.approved_by
    where a.client_id = ${clientId}::bigint and a.subject = ${subject} and a.subject_id = ${id}::bigint`.execute(
    db,
  )
  return rows[0] ?? null
}
