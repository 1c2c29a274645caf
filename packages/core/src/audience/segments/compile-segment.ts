import { invalid } from '@emma/contract/errors.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { type RawBuilder, sql } from 'kysely'
import { compileBehaviour } from './compile-behaviour.ts'
import type { Operand, SegmentClock } from './compile-condition.ts'
import { type Compilation, compileGroup, type Vocabulary } from './compile-group.ts'

/**
 * A rule query as SQL. `condition`: a boolean over the members' table with the alias `m`; `joins`: follow that table in
 * FROM (`from members.t1 as m {joins} where {condition}`) with at most one row per member, so they never change the
 * number of rows.
 */
export interface CompiledSegment {
  joins: RawBuilder<unknown>
  condition: RawBuilder<unknown>
}

/**
 * Compiles the rule query of a segment (R283–R289) over the columns of a client's datasource. Values are passed as
 * parameters; column names come from `columns`, never from the query. Muted rules and empty groups are ignored; a query
 * without rules matches every member. xor: exactly one rule matches.
 *
 * @throws EmmaError `invalid` with every unknown field, operator, value and depth, named by its path
 * (`query.rules.0.field`)
 */
export function compileSegment(
  query: RuleGroup | null,
  columns: readonly MemberColumn[],
  clientId: number,
  clock: SegmentClock,
): CompiledSegment {
  const compilation: Compilation = { clientId, clock, errors: [], joins: [], rules: 0 }
  const operands = new Map(
    columns
      .filter(column => column.is_filterable)
      .map((column): [string, Operand] => [
        column.column_name,
        { db: sql.ref(`m.${column.column_name}`), type: column.data_type },
      ]),
  )
  const vocabulary: Vocabulary = {
    find: field => operands.get(field) ?? null,
    names: () => [...operands.keys()],
    behaviour: (rule, place) => compileBehaviour(compilation, rule, place),
  }
  const place = { path: 'query', depth: 1, isConjunctive: true }
  const condition = query && compileGroup(compilation, vocabulary, query, place)
  if (compilation.errors.length > 0) throw invalid(compilation.errors.slice(0, 20))
  return { joins: sql.join(compilation.joins, sql` `), condition: condition?.db ?? sql`true` }
}

/** Placeholders for checks without a client and a time. */
const NOBODY = 0
const ANY_TIME: SegmentClock = { timezone: 'UTC', at: null }

/** Checks that a rule query fits a datasource. Throws as compileSegment does. */
export function checkRules(query: RuleGroup | null, columns: readonly MemberColumn[]): void {
  compileSegment(query, columns, NOBODY, ANY_TIME)
}
