import { z } from 'zod'
import { id, instant } from './fields.ts'

/** What an approval covers. A change of one part revokes it. */
export const approvalParts = [
  'content',
  'subject',
  'sender',
  'audience',
  'time',
  'split',
  'delivery',
] as const
export type ApprovalPart = (typeof approvalParts)[number]

/** SHA-256 over all parts, in hexadecimal. */
export const approvalHash = z.string().regex(/^[0-9a-f]{64}$/)

/** Most users that are named, and notified, as those who may approve. */
export const MOST_APPROVERS = 50

const person = z.object({ id, name: z.string() })

const signature = z.object({
  by: person,
  at: instant,
  note: z.string().nullable(),
})

/** The approval of a campaign or recurring campaign, compared with what would be sent now. */
export const approval = z.object({
  /** The client's campaigns need an approval, and this one has not been started. */
  required: z.boolean(),
  /**
   * `requested` and `approved`: what would be sent now is what the request or the approval is about; `outdated`: it was
   * changed since.
   */
  state: z.enum(['none', 'requested', 'approved', 'outdated']),
  /** Of what would be sent now. */
  hash: approvalHash,
  request: signature.nullable(),
  approved: signature.nullable(),
  /** Parts that were changed since. */
  changed: z.array(z.enum(approvalParts)),
  /** Users of the client who may approve; superadmins if there is none. */
  approvers: z.array(person).max(MOST_APPROVERS),
  /** Whether the user who asks may approve, as soon as there is a request. */
  may_approve: z.boolean(),
})

export type Approval = z.output<typeof approval>

/**
 * Whether a campaign may be started at a time, if it was approved with its start time `planned`: at that time, or at any
 * if it had passed already when the campaign was approved.
 *
 * @param start null: now
 */
export function isApprovedStart(
  { planned, approvedAt }: { planned: string | null; approvedAt: string },
  start: string | null,
): boolean {
  if (planned === null || start === null) {
    if (planned === start) return true
    return start === null && planned !== null && Date.parse(planned) <= Date.parse(approvedAt)
  }
  return Date.parse(planned) === Date.parse(start)
}
