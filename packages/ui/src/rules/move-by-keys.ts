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
 * The query after the rule or group an element belongs to moved up or down by one place, into and out of groups too;
 * null when it cannot. Rules of behaviour have a query of their own in their value: what stands in it moves within it.
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
