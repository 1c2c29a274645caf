import { type FieldError, fieldError } from '@emma/contract/errors.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import { maximumDepth, maximumRules, operatorsOf, type Rule, type RuleGroup } from '@emma/contract/rules.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Condition, compileCondition, type Operand, type SegmentClock } from './compile-condition.ts'

/** State of a compilation: errors of all rules, and joins of behaviour rules. */
export interface Compilation {
  /** Client that the members belong to. */
  clientId: number
  clock: SegmentClock
  errors: FieldError[]
  joins: RawBuilder<unknown>[]
  rules: number
}

/** Resolves fields to operands, and compiles rules with a match mode. */
export interface Vocabulary {
  find(field: string): Operand | null
  /** Names of all fields, for error messages. */
  names(): string[]
  behaviour: ((rule: Rule, place: Place) => Condition | null) | null
}

/** Position of a rule: its path for errors, and whether all enclosing groups are plain `and`. */
export interface Place {
  path: string
  depth: number
  isConjunctive: boolean
}

/** Compiles a group; null when it has no effective rules. */
export function compileGroup(
  compilation: Compilation,
  vocabulary: Vocabulary,
  group: RuleGroup,
  place: Place,
): Condition | null {
  if (place.depth > maximumDepth) {
    compilation.errors.push(fieldError(place.path, 'field.groups_too_deep', { max: maximumDepth }))
    return null
  }
  const isConjunctive = place.isConjunctive && group.combinator === 'and' && !group.not
  const parts = group.rules.flatMap((child, index) => {
    if (child.muted) return []
    const inner = { path: `${place.path}.rules.${index}`, depth: place.depth, isConjunctive }
    const condition =
      'rules' in child
        ? compileGroup(compilation, vocabulary, child, { ...inner, depth: place.depth + 1 })
        : compileRule(compilation, vocabulary, child, inner)
    return condition ? [condition] : []
  })
  if (parts.length === 0) return null
  const joined = combine(parts, group.combinator)
  return group.not ? { db: sql`not (${total(joined)})`, isTotal: true } : joined
}

function combine(parts: Condition[], combinator: RuleGroup['combinator']): Condition {
  if (combinator === 'xor')
    return {
      db: sql`(${sql.join(
        parts.map(part => sql`(${total(part)})::int`),
        sql` + `,
      )}) = 1`,
      isTotal: true,
    }
  return {
    db: sql.join(
      parts.map(part => sql`(${part.db})`),
      combinator === 'and' ? sql` and ` : sql` or `,
    ),
    isTotal: parts.every(part => part.isTotal),
  }
}

/** Treats NULL as false, as required below `not` and `xor`. */
function total(condition: Condition): RawBuilder<unknown> {
  return condition.isTotal ? condition.db : sql`(${condition.db}) is true`
}

function compileRule(
  compilation: Compilation,
  vocabulary: Vocabulary,
  rule: Rule,
  place: Place,
): Condition | null {
  const refuse = (part: string, reason: Fault) => {
    compilation.errors.push({ field: `${place.path}.${part}`, ...reason })
    return null
  }
  if (++compilation.rules > maximumRules)
    return refuse('field', fault('field.too_many_rules', { max: maximumRules }))
  if (rule.match && vocabulary.behaviour) return vocabulary.behaviour(rule, place)
  if (rule.match) return refuse('match', fault('field.behaviour_inside'))
  const operand = vocabulary.find(rule.field)
  if (!operand)
    return refuse(
      'field',
      fault('field.field_unknown', { field: rule.field, fields: listNames(vocabulary.names()) }),
    )
  if (!operatorsOf[operand.type].includes(rule.operator))
    return refuse(
      'operator',
      fault('field.operator_unfit', {
        operator: rule.operator,
        field: rule.field,
        type: operand.type,
        operators: operatorsOf[operand.type].join(', '),
      }),
    )
  return compileCondition(operand, rule.operator, rule.value, compilation.clock, reason =>
    refuse('value', fault('field.rule_value', { field: rule.field, fault: reason })),
  )
}

function listNames(names: string[]): string {
  return names.length > 30 ? `${names.slice(0, 30).join(', ')} …` : names.join(', ')
}
