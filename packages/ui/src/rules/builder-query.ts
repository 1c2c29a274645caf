import {
  type Combinator,
  type Operator,
  type Rule,
  type RuleGroup,
  combinators,
  operators,
} from '@emma/contract/rules.ts'
import type { RuleGroupType, RuleType } from 'react-querybuilder'

/** A query in the looser types of react-querybuilder; the objects are the same. */
export type BuilderGroup = RuleGroupType<RuleType<string, Operator>, Combinator>

/** True if the query can be rendered. Objects are not copied, since the builder detects changes by identity. */
export function isBuilderGroup(query: unknown): query is BuilderGroup {
  return isRuleGroup(query)
}

/** True if the query matches the contract. */
export function isRuleGroup(query: unknown): query is RuleGroup {
  if (typeof query !== 'object' || query === null || !('rules' in query) || !('combinator' in query))
    return false
  const { rules, combinator } = query
  if (!Array.isArray(rules) || !combinators.some(known => known === combinator)) return false
  return rules.every((entry: unknown) => isRuleGroup(entry) || isRule(entry))
}

function isRule(entry: unknown): entry is Rule {
  if (typeof entry !== 'object' || entry === null || !('field' in entry) || !('operator' in entry))
    return false
  const { field, operator } = entry
  return typeof field === 'string' && operators.some(known => known === operator)
}
