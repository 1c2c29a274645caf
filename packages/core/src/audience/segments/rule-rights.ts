import { EmmaError } from '@emma/contract/errors.ts'
import { comparesMembers, type RuleGroup } from '@emma/contract/rules.ts'
import { mayReadMembers } from '../../resource/member-rights.ts'
import type { Actor } from '../../resource/actor.ts'

/**
 * Rules that compare values of members tell those values: counted again and again, they find any of them out. Such rules
 * are for those who read members; what somebody saved, everybody with the permission for segments may count.
 *
 * @throws EmmaError `forbidden`
 */
export function assertMayCompare(actor: Actor, query: RuleGroup | null): void {
  const isSystem = actor.userId === null
  if (isSystem || mayReadMembers(actor) || !comparesMembers(query)) return
  throw new EmmaError('forbidden', 'Rules over data of members need the permission EmmaMember:get')
}
