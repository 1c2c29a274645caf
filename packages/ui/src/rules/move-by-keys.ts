import {
  type Path,
  type RuleGroupTypeAny,
  findPath,
  isRuleGroup,
  move,
  pathIsDisabled,
  update,
} from 'react-querybuilder'
import { pathOf } from './rule-drag.ts'

/**
 * The query after the element's rule or group moved up or down by one place, also into and out of groups; null if it
 * cannot. Behavior rules have a nested query in their value: its rules move within it.
 */
export function moveByKeys(
  query: RuleGroupTypeAny,
  element: HTMLElement,
  direction: 'up' | 'down',
): RuleGroupTypeAny | null {
  const path = pathOf(element)
  if (!path || path.length === 0) return null
  const around = element.parentElement?.closest<HTMLElement>('[data-rule-id]')
  if (!around) return moved(query, path, direction)
  const outer = pathOf(around)
  const rule = outer && findPath(outer, query)
  if (!outer || !rule || isRuleGroup(rule)) return null
  const inner: unknown = rule.value
  if (!isRuleGroup(inner) || pathIsDisabled(outer, query)) return null
  const next = moved(inner, path, direction)
  return next && update(query, 'value', next, outer)
}

function moved(query: RuleGroupTypeAny, path: Path, direction: 'up' | 'down'): RuleGroupTypeAny | null {
  if (pathIsDisabled(path, query)) return null
  const next = move(query, path, direction)
  return next === query ? null : next
}
