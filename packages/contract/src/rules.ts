import { z } from 'zod'
import { text } from './fields.ts'
import { checkFault } from './schema-faults.ts'

/**
 * The rule query of a segment (R283–R289): the JSON that the rule builder creates and the server compiles to SQL.
 *
 * A group joins rules with a combinator. A rule compares one field of the member with a value or, with `match`, counts
 * how many of the member's events (field `sent`, `opened`, `clicked` …) match the group in its value: `{ field:
 * 'opened', match: { mode: 'atLeast', threshold: 2 }, value: { combinator: 'and', rules: [ { field: 'ts', operator:
 * 'inLast', value: 30 } ] } }`.
 */
export const combinators = ['and', 'or', 'xor'] as const
export type Combinator = (typeof combinators)[number]

export const matchModes = ['all', 'some', 'none', 'atLeast', 'atMost', 'exactly'] as const
export type MatchMode = (typeof matchModes)[number]

/** Operators of react-querybuilder, and the relative-date ones (value: whole days). */
export const operators = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'contains',
  'beginsWith',
  'endsWith',
  'doesNotContain',
  'doesNotBeginWith',
  'doesNotEndWith',
  'null',
  'notNull',
  'in',
  'notIn',
  'between',
  'notBetween',
  'inLast',
  'notInLast',
  'inNext',
  'anniversary',
] as const
export type Operator = (typeof operators)[number]

/** Field types; `operatorsOf` lists their operators. */
export const fieldTypes = [
  'string',
  'text',
  'email',
  'int',
  'decimal',
  'bool',
  'date',
  'datetime',
  'enum',
] as const
export type FieldType = (typeof fieldTypes)[number]

const words = [
  '=',
  '!=',
  'contains',
  'beginsWith',
  'endsWith',
  'doesNotContain',
  'doesNotBeginWith',
  'doesNotEndWith',
  'null',
  'notNull',
  'in',
  'notIn',
] as const satisfies readonly Operator[]
const numbers = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'null',
  'notNull',
  'in',
  'notIn',
  'between',
  'notBetween',
] as const satisfies readonly Operator[]
const times = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'null',
  'notNull',
  'between',
  'notBetween',
  'inLast',
  'notInLast',
  'inNext',
  'anniversary',
] as const satisfies readonly Operator[]

export const operatorsOf: Record<FieldType, readonly Operator[]> = {
  string: words,
  text: words,
  email: words,
  enum: ['=', '!=', 'null', 'notNull', 'in', 'notIn'],
  int: numbers,
  decimal: numbers,
  bool: ['=', '!=', 'null', 'notNull'],
  date: times,
  datetime: times,
}

/** Behaviour fields: kinds of events that are counted for a member. */
export const behaviourFields = ['sent', 'opened', 'clicked', 'bounced', 'unsubscribed', 'complained'] as const
export type BehaviourField = (typeof behaviourFields)[number]

/** Fields of an event in a behaviour rule, with their types. */
export const eventFields = {
  ts: 'datetime',
  campagne_id: 'int',
  link_index: 'int',
  url: 'string',
  device: 'enum',
  verdict: 'enum',
} as const satisfies Record<string, FieldType>

export const maximumDepth = 20
export const maximumRules = 500

const scalar = z.union([text(1000), z.number(), z.boolean(), z.null()])

export interface Rule {
  id?: string | undefined
  field: string
  operator: Operator
  value?: string | number | boolean | null | (string | number | boolean | null)[] | RuleGroup | undefined
  valueSource?: 'value' | undefined
  match?: { mode: MatchMode; threshold?: number | undefined } | undefined
  disabled?: boolean | undefined
  muted?: boolean | undefined
}

export interface RuleGroup {
  id?: string | undefined
  combinator: Combinator
  not?: boolean | undefined
  rules: (Rule | RuleGroup)[]
  disabled?: boolean | undefined
  muted?: boolean | undefined
}

const rule: z.ZodType<Rule> = z
  .strictObject({
    id: z.string().max(64).optional(),
    field: z.string().min(1).max(63),
    operator: z.enum(operators),
    value: z.lazy(() => z.union([scalar, z.array(scalar).max(10_000), ruleGroup])).optional(),
    valueSource: z.literal('value').optional(),
    match: z
      .strictObject({ mode: z.enum(matchModes), threshold: z.number().nonnegative().optional() })
      .optional(),
    disabled: z.boolean().optional(),
    muted: z.boolean().optional(),
  })
  .overwrite(trimChoices)

/** Trims the values of "is one of", as no value would match with surrounding blanks. */
function trimChoices<R extends { operator: Operator; value?: unknown }>(rule: R): R {
  if ((rule.operator !== 'in' && rule.operator !== 'notIn') || !Array.isArray(rule.value)) return rule
  return { ...rule, value: rule.value.map(each => (typeof each === 'string' ? each.trim() : each)) }
}

const ruleGroup: z.ZodType<RuleGroup> = z.strictObject({
  id: z.string().max(64).optional(),
  combinator: z.enum(combinators),
  not: z.boolean().optional(),
  rules: z.array(z.lazy(() => z.union([ruleGroup, rule]))).max(maximumRules),
  disabled: z.boolean().optional(),
  muted: z.boolean().optional(),
})

/**
 * Schema of a rule query. Checks the depth before the shape, so that a hostile query is rejected cheaply. `checkRules`
 * of the compiler checks that fields, operators and values fit the datasource.
 */
export const ruleQuery = z
  .unknown()
  .superRefine((value, context) => {
    const depth = depthOf(value, 0)
    if (depth > maximumDepth * 2) {
      context.addIssue({
        code: 'custom',
        message: checkFault('field.groups_too_deep'),
        params: { values: { max: maximumDepth } },
      })
    }
  })
  .pipe(ruleGroup)

/** Nesting depth of a JSON value; stops counting above the limit. */
function depthOf(value: unknown, level: number): number {
  if (level > maximumDepth * 2 || typeof value !== 'object' || value === null) return level
  let deepest = level
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child, level + 1))
  return deepest
}

/** Whether a rule compares a column of the datasource. Rules with a match compare events; muted rules have no effect. */
export function comparesMembers(query: RuleGroup | null): boolean {
  if (query === null) return false
  return query.rules.some(rule => {
    if (rule.muted) return false
    return 'rules' in rule ? comparesMembers(rule) : rule.match === undefined
  })
}
