import type { Action } from '@emma/contract/define-action.ts'
import { EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import type { z } from 'zod'
import type { DemoTables } from './demo-tables.ts'
import type { Random } from './seed/random.ts'
import type { DemoPerson } from './seed/seeding.ts'

/** A row whose fields are only known by name. */
export type Fields = Record<string, unknown>

/** A call of the API, taken apart. */
export interface DemoCall {
  params: Record<string, string>
  /** As a server reads a query: one value as text, several as a list. */
  query: Fields
  body: unknown
  /** Of the record as it was read (R163). */
  revision: number | null
}

/** What answers are made of. */
export interface DemoState {
  tables: DemoTables
  person: DemoPerson
  random: Random
  now: () => Date
}

/** One path of the API, and what the demo answers there: text as text, `undefined` as 204, anything else as JSON. */
export interface DemoRoute {
  method: string
  path: string
  answer(call: DemoCall, state: DemoState): Promise<unknown>
}

/** The routes of an action of the contract: its parameters are read, and its answer is typed, by it. */
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

/** @throws EmmaError `invalid`, naming the faulty fields */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(faultOf))
}

function faultOf({ path, message }: z.core.$ZodIssue): FieldError {
  return { field: path.map(String).join('.') || 'body', message }
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
