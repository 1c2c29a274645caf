import { type RawBuilder, sql } from 'kysely'
import { badDocumentRequest } from './document-error.ts'

type Expression = RawBuilder<unknown>
type Condition = RawBuilder<boolean>

/** Most conditions of a selector, and most characters of a pattern. */
const mostConditions = 200
const longestPattern = 500

/**
 * Compiles a Mango selector (CouchDB, `_find`) to an SQL condition over `document`: `$eq $ne $gt $gte $lt $lte $in $nin
 * $exists $regex $elemMatch $and $or $not $nor`. Values of all types share one order: null, false, true, numbers,
 * strings (by code point), arrays, objects. As in CouchDB, a missing field matches only `$exists: false`, and negation
 * is pushed down to the single conditions. All input is passed as bound parameters.
 *
 * Patterns are PostgreSQL's; run the statement with a timeout.
 *
 * @throws DocumentError `bad_request` for operators that are unknown or have the wrong argument
 */
export function compileSelector(selector: Record<string, unknown>): Condition {
  let left = mostConditions

  function group(fields: Record<string, unknown>, at: Expression, isNegated: boolean): Condition {
    const parts = Object.entries(fields).map(([key, argument]) => {
      if (key.startsWith('$')) return operator(key, argument, at, isNegated)
      const value = step(at, pathOf(key))
      return isObject(argument) && Object.keys(argument).length > 0
        ? group(argument, value, isNegated)
        : compare('$eq', argument, value, isNegated)
    })
    return combine(parts, isNegated ? 'or' : 'and')
  }

  function operator(name: string, argument: unknown, at: Expression, isNegated: boolean): Condition {
    if (name === '$not') return group(objectOf(name, argument), at, !isNegated)
    if (name === '$and' || name === '$or' || name === '$nor') {
      const negates = isNegated !== (name === '$nor')
      const parts = listOf(name, argument).map(part => group(objectOf(name, part), at, negates))
      return combine(parts, (name === '$and') !== negates ? 'and' : 'or')
    }
    return compare(name, argument, at, isNegated)
  }

  function compare(name: string, argument: unknown, value: Expression, isNegated: boolean): Condition {
    left -= 1
    if (left < 0) throw badDocumentRequest(`A selector may have ${mostConditions} conditions`)
    if (name === '$exists') {
      if (typeof argument !== 'boolean') throw badDocumentRequest('$exists takes true or false')
      return argument === isNegated ? sql`${value} is null` : sql`${value} is not null`
    }
    const fits = test(name, argument, value)
    return isNegated ? sql`(${value} is not null and not ${fits})` : sql`(${value} is not null and ${fits})`
  }

  /** Condition that is never null for an existing value. */
  function test(name: string, argument: unknown, value: Expression): Condition {
    switch (name) {
      case '$eq':
        return sql`(${value} = ${json(argument)})`
      case '$ne':
        return sql`(${value} <> ${json(argument)})`
      case '$in':
        return among(value, listOf(name, argument))
      case '$nin':
        return sql`(not ${among(value, listOf(name, argument))})`
      case '$gt':
        return ordered(value, sql`>`, argument)
      case '$gte':
        return sql`(${value} = ${json(argument)} or ${ordered(value, sql`>`, argument)})`
      case '$lt':
        return ordered(value, sql`<`, argument)
      case '$lte':
        return sql`(${value} = ${json(argument)} or ${ordered(value, sql`<`, argument)})`
      case '$regex':
        return sql`(case when jsonb_typeof(${value}) = 'string' then (${value} #>> '{}') ~ ${patternOf(argument)}::text else false end)`
      case '$elemMatch':
        return sql`exists (
          select from jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end) as e (item)
          where ${group(objectOf(name, argument), sql`e.item`, false)})`
      default:
        throw badDocumentRequest(`Invalid operator: ${name}`)
    }
  }

  return group(selector, sql`doc`, false)
}

/** Sort keys of a field: its type, then its value within the type. */
export function sortKeys(field: string): Expression[] {
  const value = step(sql`doc`, pathOf(field))
  return [kindOf(value), numberOf(value), sql`lower(${textOf(value)})`, textOf(value)]
}

function step(at: Expression, path: readonly string[]): Expression {
  return sql`(${at} #> ${path}::text[])`
}

/** Splits a path at dots: `a.b` is `b` inside `a`; `a\.b` is one name. */
function pathOf(field: string): string[] {
  const names = field.split(/(?<!\\)\./).map(name => name.replaceAll('\\.', '.'))
  if (names.length > 20) throw badDocumentRequest(`The field ${field.slice(0, 100)} is too deep`)
  return names
}

function combine(parts: readonly Condition[], word: 'and' | 'or'): Condition {
  if (parts.length === 0) return sql`${word === 'and'}::boolean`
  return sql`(${sql.join(parts, word === 'and' ? sql` and ` : sql` or `)})`
}

/** An array matches when it or one of its items is among the values. */
function among(value: Expression, values: readonly unknown[]): Condition {
  const list = sql`array(select jsonb_array_elements(${JSON.stringify(values)}::jsonb))`
  return sql`(${value} = any(${list}) or (jsonb_typeof(${value}) = 'array' and exists (
    select from jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end) as i (item)
    where i.item = any(${list}))))`
}

function ordered(value: Expression, sign: RawBuilder<unknown>, argument: unknown): Condition {
  const kind = kinds.findIndex(name => name === kindOfValue(argument))
  const within = sameKind(value, sign, argument)
  return sql`(case when ${kindOf(value)} = ${kind} then ${within} else ${kindOf(value)} ${sign} ${kind} end)`
}

function sameKind(value: Expression, sign: RawBuilder<unknown>, argument: unknown): Condition {
  if (typeof argument === 'number') return sql`(${numberOf(value)} ${sign} ${argument}::numeric)`
  if (typeof argument === 'string') return sql`(${textOf(value)} ${sign} ${argument}::text collate "C")`
  return sql`(${value} ${sign} ${json(argument)})`
}

const kinds = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

function kindOf(value: Expression): Expression {
  return sql`array_position('{"null",boolean,number,string,array,object}'::text[], jsonb_typeof(${value})) - 1`
}

function kindOfValue(value: unknown): (typeof kinds)[number] {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'boolean' || kind === 'number' || kind === 'string' ? kind : 'object'
}

function numberOf(value: Expression): Expression {
  return sql`(case when jsonb_typeof(${value}) = 'number' then (${value} #>> '{}')::numeric end)`
}

function textOf(value: Expression): Expression {
  return sql`(case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' end collate "C")`
}

function json(value: unknown): Expression {
  return sql`${JSON.stringify(value ?? null)}::jsonb`
}

function patternOf(argument: unknown): string {
  if (typeof argument !== 'string') throw badDocumentRequest('$regex takes a text')
  if (argument.length > longestPattern)
    throw badDocumentRequest(`A pattern may have ${longestPattern} characters`)
  // PostgreSQL can match back references only by backtracking.
  if (/(?<!\\)(?:\\\\)*\\[1-9]/.test(argument)) throw badDocumentRequest('Patterns take no back references')
  return argument
}

function objectOf(operator: string, argument: unknown): Record<string, unknown> {
  if (!isObject(argument)) throw badDocumentRequest(`${operator} takes an object`)
  return argument
}

function listOf(operator: string, argument: unknown): unknown[] {
  if (!Array.isArray(argument)) throw badDocumentRequest(`${operator} takes a list`)
  return argument
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
