import { EmmaError } from '@emma/contract/errors.ts'
import { comparesMembers, type RuleGroup } from '@emma/contract/rules.ts'
import { mayReadMembers } from '../../resource/member-rights.ts'
import type { Actor } from '../../resource/actor.ts'
import { fault } from '@emma/contract/faults.ts'

/**
 * Checks that the actor may save or count rules that compare member data. Repeated counts with changing rules reveal
 * the values, so this requires the permission to read members; saved segments may be counted by everybody with the
 * permission for segments.
 *
 * @throws EmmaError `forbidden`
 */
export function assertMayCompare(actor: Actor, query: RuleGroup | null): void {
  if (comparesMembers(query)) assertMayReadMembers(actor)
}

/** Checks the permission for rules over member data. */
export function assertMayReadMembers(actor: Actor): void {
  const isSystem = actor.userId === null
  if (isSystem || mayReadMembers(actor)) return
  throw new EmmaError('forbidden', fault('refusal.rule_permission'))
}
