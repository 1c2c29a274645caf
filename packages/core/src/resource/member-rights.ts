import { EmmaError } from '@emma/contract/errors.ts'
import { type Actor, can } from './actor.ts'
import type { Fields } from './operations.ts'

/**
 * Whether the actor sees data of members. Whichever way it would come out (lists, previews, tests, reports, files,
 * webhooks), it needs this permission besides the one of the call.
 */
export function mayReadMembers(actor: Actor): boolean {
  return can(actor, 'EmmaMember:get')
}

/** Throws EmmaError `forbidden`. */
export function assertMayReadMembers(actor: Actor): void {
  if (!mayReadMembers(actor))
    throw new EmmaError('forbidden', 'Data of members needs the permission EmmaMember:get')
}

/** What a write answers of a member: the whole record, or, without the permission to read it, its key and revision. */
export function presentMember(actor: Actor, member: Fields): Fields {
  if (mayReadMembers(actor)) return member
  const { client_id, member_table_id, member_id, revision } = member
  return { client_id, member_table_id, member_id, revision }
}

/** A report without the words of people and about them: addresses of samples, replies that quote addresses. */
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
