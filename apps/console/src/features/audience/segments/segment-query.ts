import type { Rule, RuleGroup } from '@emma/contract/rules.ts'

/** A query without rules, which matches every member. */
export const everyone: RuleGroup = { combinator: 'and', rules: [] }

/** The query as stored: without the rule builder's ids; null if it has no rules, which matches every member. */
export function storedQuery(query: RuleGroup): RuleGroup | null {
  return query.rules.length === 0 ? null : withoutIds(query)
}

/** The query without the rule builder's ids, so that equal queries have equal JSON. */
export function withoutIds(query: RuleGroup): RuleGroup {
  const { id: _mark, rules, ...group } = query
  return { ...group, rules: rules.map(entry => ('rules' in entry ? withoutIds(entry) : plainRule(entry))) }
}

function plainRule({ id: _mark, value, ...rule }: Rule): Rule {
  if (isGroup(value)) return { ...rule, value: withoutIds(value) }
  return value === undefined ? rule : { ...rule, value }
}

function isGroup(value: Rule['value']): value is RuleGroup {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * True if every rule is complete. Incomplete rules are not sent, since the server would reject them while the user is
 * typing.
 */
export function isComplete(query: RuleGroup): boolean {
  return query.rules.every(entry => {
    if ('rules' in entry) return isComplete(entry)
    if (entry.muted) return true
    if (entry.match) return isGroup(entry.value) ? isComplete(entry.value) : true
    if (entry.operator === 'null' || entry.operator === 'notNull') return true
    if (Array.isArray(entry.value)) return entry.value.length > 0 && entry.value.every(isFilled)
    return isFilled(entry.value)
  })
}

function isFilled(value: unknown): boolean {
  return value !== '' && value !== null && value !== undefined
}
