import { EmmaError } from '@emma/contract/errors.ts'
import { type Actor, can } from './actor.ts'
import type { Fields } from './operations.ts'

/**
 * Whether the actor may see data of members. Every operation that returns such data (lists, previews, tests, reports,
 * files, webhooks) requires this besides its own permission.
 */
export function mayReadMembers(actor: Actor): boolean {
  return can(actor, 'EmmaMember:get')
}

/** Throws EmmaError `forbidden`. */
export function assertMayReadMembers(actor: Actor): void {
  if (!mayReadMembers(actor))
    throw new EmmaError('forbidden', 'Data of members needs the permission EmmaMember:get')
}

/** Response to a write of a member: the whole record, or only key and revision without the permission to read it. */
export function presentMember(actor: Actor, member: Fields): Fields {
  if (mayReadMembers(actor)) return member
  const { client_id, member_table_id, member_id, revision } = member
  return { client_id, member_table_id, member_id, revision }
}

/** Removes member data from a report: sample addresses, and replies that quote addresses. */
export function withoutMembers(actor: Actor, report: Fields): Fields {
  if (mayReadMembers(actor)) return report
  const { preblocks, bounces, ...figures } = report
  return {
    ...figures,
    preblocks: rowsWithout(preblocks, { sample: [] }),
    bounces: rowsWithout(bounces, { replies: null }),
  }
}

export function rowsWithout(rows: unknown, hidden: Fields): Fields[] {
  return Array.isArray(rows) ? rows.map((row: Fields) => ({ ...row, ...hidden })) : []
}
