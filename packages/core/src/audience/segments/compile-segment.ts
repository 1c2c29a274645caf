import { invalid } from '@emma/contract/errors.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { type RawBuilder, sql } from 'kysely'
import { compileBehaviour } from './compile-behaviour.ts'
import type { Operand, SegmentClock } from './compile-condition.ts'
import { type Compilation, compileGroup, type Vocabulary } from './compile-group.ts'

/**
 * A rule query as SQL. `condition` is a boolean over the members' table under the alias `m`; `joins` follow that
 * table in FROM (`from members.t1 as m {joins} where {condition}`): at most one row a member each, so they never
 * change the number of rows.
 */
export interface CompiledSegment {
  joins: RawBuilder<unknown>
  condition: RawBuilder<unknown>
}

/**
 * Compiles the rule query of a segment (R283–R289) over the columns of a client's datasource. Values travel as parameters only;
 * names of columns come from `columns`, never from the query. Muted rules and empty groups are as good as absent;
 * a query without rules is true for every member. xor over several rules: exactly one of them holds.
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

/** Where only the rules matter. */
const NOBODY = 0
const ANY_TIME: SegmentClock = { timezone: 'UTC', at: null }

/** Says whether a rule query fits a datasource. Throws as compileSegment does. */
export function checkRules(query: RuleGroup | null, columns: readonly MemberColumn[]): void {
  compileSegment(query, columns, NOBODY, ANY_TIME)
}
