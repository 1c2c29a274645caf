import type { Action } from '@emma/contract/define-action.ts'
import { EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import { faultOfIssue } from '@emma/contract/schema-faults.ts'
import type { z } from 'zod'
import type { DemoTables } from './demo-tables.ts'
import type { Random } from './seed/random.ts'
import type { DemoPerson } from './seed/seeding.ts'

/** A row with fields accessed by name. */
export type Fields = Record<string, unknown>

/** A parsed API call. */
export interface DemoCall {
  params: Record<string, string>
  /** Parsed query: a single value is a string, repeated values are an array. */
  query: Fields
  body: unknown
  /** Revision of the record as it was read (R163). */
  revision: number | null
}

/** Dependencies of the routes. */
export interface DemoState {
  tables: DemoTables
  person: DemoPerson
  random: Random
  now: () => Date
}

/** A path of the API and its handler. Strings are sent as text, `undefined` as 204, anything else as JSON. */
export interface DemoRoute {
  method: string
  path: string
  answer(call: DemoCall, state: DemoState): Promise<unknown>
}

/** Routes of an action of the contract, which parses the input and types the response. */
export function onAction<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  action: Action<P, Q, B, R>,
  answer: (
    input: { params: z.infer<P>; query: z.infer<Q>; body: z.infer<B> },
    state: DemoState,
    call: DemoCall,
  ) => Promise<z.input<R>>,
): DemoRoute[] {
  return action.paths.map(path => ({
    method: action.method,
    path,
    answer: (call, state) =>
      answer(
        {
          params: parse(action.params, call.params),
          query: parse(action.query, call.query),
          body: parse(action.body, call.body),
        },
        state,
        call,
      ),
  }))
}

/** @throws EmmaError `invalid`, with the invalid fields */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(faultOf))
}

function faultOf(issue: z.core.$ZodIssue): FieldError {
  return { field: issue.path.map(String).join('.') || 'body', ...faultOfIssue(issue) }
}

/** @throws EmmaError `not_in_demo` */
export function notInDemo(): never {
  throw new EmmaError('not_in_demo')
}

export function pageOf<Row>(rows: readonly Row[], limit: number, offset: number) {
  return {
    data: rows.slice(offset, offset + limit),
    included: [],
    pagination: { limit, offset, total: rows.length },
  }
}
