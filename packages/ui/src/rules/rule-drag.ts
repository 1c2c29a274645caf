import {
  type Path,
  type RuleGroupTypeAny,
  type RuleType,
  findPath,
  getParentPath,
  isAncestor,
  isRuleGroup,
  move,
  pathIsDisabled,
  pathsAreEqual,
} from 'react-querybuilder'
import { type Landing, type Point, sideAt } from '../drag/pointer-drag.ts'

/** Path of the drop target in the current query. */
export function pathOfLanding(query: RuleGroupTypeAny, path: Path, side: Landing['side']): Path {
  const index = path.at(-1) ?? 0
  if (side === 'before' && path.length > 0) return path
  if (side === 'after' && path.length > 0) return [...getParentPath(path), index + 1]
  const group = findPath(path, query)
  return [...path, group && isRuleGroup(group) ? group.rules.length : 0]
}

/**
 * True if the entry at one path may move to another: not into itself, not into or out of locked groups (R286), and not
 * deeper than the limit (R285).
 */
export function mayMove(query: RuleGroupTypeAny, from: Path, to: Path, maxLevels: number): boolean {
  if (from.length === 0 || pathsAreEqual(from, to) || isAncestor(from, to)) return false
  if (pathIsDisabled(from, query) || pathIsDisabled(getParentPath(to), query)) return false
  const moved = findPath(from, query)
  if (!moved) return false
  return !isRuleGroup(moved) || to.length + levelsWithin(moved) <= maxLevels
}

/** The query after the move; unchanged if the move is not allowed. */
export function moveTo(query: RuleGroupTypeAny, from: Path, to: Path, maxLevels: number): RuleGroupTypeAny {
  return mayMove(query, from, to, maxLevels) ? move(query, from, to) : query
}

/** Number of group levels inside a group. */
function levelsWithin(group: RuleGroupTypeAny): number {
  return group.rules.reduce<number>(
    (deepest, entry) => (isGroupEntry(entry) ? Math.max(deepest, 1 + levelsWithin(entry)) : deepest),
    0,
  )
}

function isGroupEntry(entry: RuleGroupTypeAny | RuleType | string): entry is RuleGroupTypeAny {
  return typeof entry === 'object' && isRuleGroup(entry)
}

/**
 * Drop target under the pointer: a rule or group of the same query as the dragged one (behavior rules have a nested
 * query).
 */
export function landingAt(source: HTMLElement, under: Element, point: Point): Landing | null {
  const scope = scopeOf(source)
  let element = under.closest<HTMLElement>('[data-path]')
  while (element && scopeOf(element) !== scope) {
    element = element.parentElement?.closest<HTMLElement>('[data-path]') ?? null
  }
  if (!element) return null
  if (element.dataset.ruleGroupId === undefined) return { element, side: sideAt(element, point) }
  const isHead = element.firstElementChild?.contains(under) ?? false
  return { element, side: isHead && element.dataset.path !== '[]' ? 'before' : 'inside' }
}

/** The behavior rule around an element; null in the outer query. */
function scopeOf(element: Element): Element | null {
  return element.parentElement?.closest('[data-rule-id]') ?? null
}

/** The path in an element's data attribute; null without one. */
export function pathOf(element: HTMLElement): Path | null {
  const path: unknown = JSON.parse(element.dataset.path ?? 'null')
  return Array.isArray(path) && path.every(step => typeof step === 'number') ? path : null
}
