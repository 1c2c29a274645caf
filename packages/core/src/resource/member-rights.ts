import type { createMember } from '@emma/contract/actions/audience.ts'
import type { findReport } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { MemberRecord } from '@emma/contract/resources/member.ts'
import { type Actor, can } from './actor.ts'
import { fault } from '@emma/contract/faults.ts'

type Report = Answer<typeof findReport>

/**
 * Whether the actor may see data of members. Every operation that returns such data (lists, previews, tests, reports,
 * files, webhooks) requires this besides its own permission.
 */
export function mayReadMembers(actor: Actor): boolean {
  return can(actor, 'EmmaMember:get')
}

/** Throws EmmaError `forbidden`. */
export function assertMayReadMembers(actor: Actor): void {
  if (!mayReadMembers(actor)) throw new EmmaError('forbidden', fault('refusal.member_permission'))
}

/** Response to a write of a member: the whole record, or only key and revision without the permission to read it. */
export function presentMember(actor: Actor, member: MemberRecord): Answer<typeof createMember> {
  if (mayReadMembers(actor)) return member
  const { client_id, member_table_id, member_id, revision } = member
  return { client_id, member_table_id, member_id, revision }
}

/** Removes member data from a report: sample addresses, and replies that quote addresses. */
export function withoutMembers(actor: Actor, report: Report): Report {
  if (mayReadMembers(actor)) return report
  return {
    ...report,
    preblocks: report.preblocks.map(row => ({ ...row, sample: [] })),
    bounces: report.bounces.map(row => ({ ...row, replies: null })),
  }
}
