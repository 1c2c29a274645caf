import type { Operator, Rule, RuleGroup } from '@emma/contract/rules.ts'

/** One event of a member, as the tests store it. */
export interface Happened {
  field: string
  ts: string
  campagne_id: number | null
  link_index?: number | null
  url?: string | null
  device?: string | null
  verdict?: string | null
}

export type Value = string | number | boolean | null
export interface Person {
  values: Record<string, Value>
  happened: Happened[]
}

/** Whether a member satisfies a query: straightforward reference implementation for tests. */
export function satisfies(group: RuleGroup, person: Person, now: Date): boolean {
  return evaluate(group, rule => satisfiesRule(rule, person, now)) ?? true
}

/** null: the group has no effective rules. */
function evaluate(group: RuleGroup, test: (rule: Rule) => boolean): boolean | null {
  const results = group.rules.flatMap(child => {
    if (child.muted) return []
    const result = 'rules' in child ? evaluate(child, test) : test(child)
    return result === null ? [] : [result]
  })
  if (results.length === 0) return null
  const joined = {
    and: results.every(Boolean),
    or: results.some(Boolean),
    xor: results.filter(Boolean).length === 1,
  }[group.combinator]
  return group.not ? !joined : joined
}

function satisfiesRule(rule: Rule, person: Person, now: Date): boolean {
  if (!rule.match) return compare(person.values[rule.field] ?? null, rule.operator, rule.value, now)
  const group = rule.value as RuleGroup
  const asksVerdict = fieldsOf(group).includes('verdict')
  const happened = person.happened.filter(
    one =>
      one.field === rule.field &&
      (asksVerdict || !['opened', 'clicked'].includes(rule.field) || one.verdict === 'human'),
  )
  const matching = happened.filter(
    one =>
      evaluate(group, inner => compare(one[inner.field as 'ts'] ?? null, inner.operator, inner.value, now)) ??
      true,
  ).length
  const threshold = rule.match.threshold ?? 1
  switch (rule.match.mode) {
    case 'all':
      return happened.length > 0 && matching === happened.length
    case 'some':
      return matching > 0
    case 'none':
      return matching === 0
    case 'atLeast':
      return matching >= threshold
    case 'atMost':
      return matching <= threshold
    default:
      return matching === threshold
  }
}

function fieldsOf(group: RuleGroup): string[] {
  return group.rules
    .filter(child => !child.muted)
    .flatMap(child => ('rules' in child ? fieldsOf(child) : [child.field]))
}

const day = 86_400_000

function compare(actual: Value, operator: Operator, value: unknown, now: Date): boolean {
  const wanted = value as typeof actual & {}
  const pair = (value as [Value, Value] | undefined) ?? [null, null]
  const text = String(actual).toLowerCase()
  switch (operator) {
    case 'null':
      return actual === null
    case 'notNull':
      return actual !== null
    case '!=':
      return !compare(actual, '=', value, now)
    case 'doesNotContain':
      return !compare(actual, 'contains', value, now)
    case 'doesNotBeginWith':
      return !compare(actual, 'beginsWith', value, now)
    case 'doesNotEndWith':
      return !compare(actual, 'endsWith', value, now)
    case 'notIn':
      return !compare(actual, 'in', value, now)
    case 'notBetween':
      return !compare(actual, 'between', value, now)
    case 'notInLast':
      return !compare(actual, 'inLast', value, now)
    default:
  }
  if (actual === null) return false
  const since = (now.getTime() - new Date(String(actual)).getTime()) / day
  const isDay = /^\d{4}-\d\d-\d\d$/.test(String(actual))
  switch (operator) {
    case '=':
      return actual === value
    case '<':
      return actual < wanted
    case '>':
      return actual > wanted
    case '<=':
      return actual <= wanted
    case '>=':
      return actual >= wanted
    case 'contains':
      return text.includes(String(value).toLowerCase())
    case 'beginsWith':
      return text.startsWith(String(value).toLowerCase())
    case 'endsWith':
      return text.endsWith(String(value).toLowerCase())
    case 'in':
      return (value as Value[]).includes(actual)
    case 'between': {
      const [low, high] = pair.toSorted((a, b) => (a! < b! ? -1 : 1))
      return actual >= low! && actual <= high!
    }
    case 'inLast':
      return since >= 0 && (isDay ? Math.floor(since) : since) <= Number(value)
    case 'inNext':
      return (isDay ? Math.floor(since) : since) <= 0 && -(isDay ? Math.floor(since) : since) <= Number(value)
    default: {
      const target = new Date(now.getTime() + Number(value) * day).toISOString().slice(5, 10)
      return String(actual).slice(5, 10) === target
    }
  }
}
