import type { Rule, RuleGroup } from '@emma/contract/rules.ts'

/** States of a query for undo and redo. */
export interface QueryHistory {
  past: readonly RuleGroup[]
  future: readonly RuleGroup[]
}

export const noHistory: QueryHistory = { past: [], future: [] }

const longest = 100

/**
 * History after a change from `before` to `after`. Changed ids of the builder are ignored. Continued typing in one rule
 * (`isTypedOn`) adds no step, so that undo reverts a word and not a letter.
 */
export function recordChange(
  history: QueryHistory,
  before: RuleGroup,
  after: RuleGroup,
  isTypedOn: boolean,
): QueryHistory {
  if (sameQuery(before, after)) return history
  if (isTypedOn && history.past.length > 0) return { past: history.past, future: [] }
  return { past: [...history.past.slice(1 - longest), before], future: [] }
}

export interface HistoryStep {
  history: QueryHistory
  query: RuleGroup
}

/** Undoes one step; null if there is none. */
export function stepBack({ past, future }: QueryHistory, current: RuleGroup): HistoryStep | null {
  const query = past.at(-1)
  if (!query) return null
  return { query, history: { past: past.slice(0, -1), future: [current, ...future] } }
}

/** Redoes one step; null if there is none. */
export function stepForth({ past, future }: QueryHistory, current: RuleGroup): HistoryStep | null {
  const [query, ...rest] = future
  if (!query) return null
  return { query, history: { past: [...past, current], future: rest } }
}

/** True if two queries are equal, ignoring the builder's ids. */
export function sameQuery(a: RuleGroup, b: RuleGroup): boolean {
  return a === b || (shellOf(a) === shellOf(b) && sameRules(a.rules, b.rules, false))
}

/** True if two queries differ only in values. */
export function differsInValues(a: RuleGroup, b: RuleGroup): boolean {
  return shellOf(a) === shellOf(b) && sameRules(a.rules, b.rules, true)
}

function sameRules(a: RuleGroup['rules'], b: RuleGroup['rules'], valuesMayDiffer: boolean): boolean {
  if (a.length !== b.length) return false
  return a.every((entry, index) => {
    const other = b[index]
    // Unchanged rules are the same objects, so comparing large queries is fast.
    if (entry === other) return true
    if (!other) return false
    if ('rules' in entry || 'rules' in other) {
      if (!('rules' in entry && 'rules' in other) || shellOf(entry) !== shellOf(other)) return false
      return sameRules(entry.rules, other.rules, valuesMayDiffer)
    }
    return sameRule(entry, other, valuesMayDiffer)
  })
}

function sameRule(a: Rule, b: Rule, valuesMayDiffer: boolean): boolean {
  const [one, two] = [a, b].map(({ id: _id, value: _value, valueSource: _source, ...rest }) =>
    JSON.stringify(rest),
  )
  if (one !== two) return false
  if (isGroupValue(a.value) && isGroupValue(b.value)) {
    return shellOf(a.value) === shellOf(b.value) && sameRules(a.value.rules, b.value.rules, valuesMayDiffer)
  }
  return valuesMayDiffer || JSON.stringify(a.value) === JSON.stringify(b.value)
}

function shellOf({ id: _id, rules: _rules, ...shell }: RuleGroup): string {
  return JSON.stringify([shell.combinator, shell.not === true, shell.disabled === true, shell.muted === true])
}

function isGroupValue(value: Rule['value']): value is RuleGroup {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
