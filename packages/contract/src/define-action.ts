import { z } from 'zod'
import type { Area } from './areas.ts'
import type { Permission } from './permissions.ts'

/** An API call other than CRUD on a resource: an action on a record, an upload, a statistic. */
export interface Action<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  name: string
  area: Area
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` parameters and colon verbs, as in the specification. */
  paths: readonly [string, ...string[]]
  /** `null`: any session; `'public'`: no session needed. */
  permission: Permission | null | 'public'
  /** Further permissions needed for the content of the response. */
  alsoNeeds?: readonly Permission[]
  superadminOnly?: boolean
  /** Changes nothing, whatever its method: no entry in the audit log. */
  reads?: true
  /** Reports what a window shows, several times a minute: no entry in the audit log. */
  unlogged?: true
  /** Expensive query: limited concurrency per client, a separate connection pool, a statement timeout of ten seconds. */
  slow?: true
  /**
   * Queues mail that a program sends, at any rate: in the log of the mails instead of the audit log, without effect on
   * cached responses; also by the key of a transactional email.
   */
  queuesMail?: true
  /** Also for the key of a transactional email, whose `{id}` is in the path. */
  takesMailKey?: true
  /** Stores a file: rejected with 507 (`disk_full`) while the disk is almost full. */
  keepsFile?: true
  /**
   * The body is multipart/form-data: `body` as the JSON part `data`, then the file in the part `file`. `or_json`: or
   * `body` as JSON.
   */
  takesFile?: true | 'or_json'
  /** Accepts bodies above the default limit, up to the installation's maximum. */
  largeBody?: true
  /** Most requests per minute of one address, when below the default. */
  perMinute?: number
  params: P
  query: Q
  body: B
  response: R
  /** Cache-match names whose cached responses a success evicts (R167, R168). */
  evicts?: readonly string[]
  /** HTTP status of a success other than 200: created, accepted, no content. */
  status?: 201 | 202 | 204
  /** Format of the response: JSON by default, text (notifications), or a file. */
  answer?: 'json' | 'text' | 'file'
}

/** Response type of an action: `Answer<typeof readProfile>`. */
export type Answer<A extends Pick<Action, 'response'>> = z.output<A['response']>

/**
 * Defines an action. Defaults: GET; path parameters of the first path, each a positive integer; no query; an unchecked
 * body.
 */
export function defineAction<
  const Path extends string,
  P extends z.ZodType = KeysOf<Path>,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = z.ZodUnknown,
  R extends z.ZodType = z.ZodType,
>(definition: Definition<Path, P, Q, B, R>): Action<P, Q, B, R>
export function defineAction(definition: Definition<string>): Action {
  const [path] = definition.paths
  return { method: 'GET', params: keysOf(path), query: nothing, body: z.unknown(), ...definition }
}

type Defaulted = 'method' | 'params' | 'query' | 'body'

/** The definition of an action; fields with a default are optional. */
type Definition<
  Path extends string,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Omit<Action<P, Q, B, R>, Defaulted | 'paths'> &
  Partial<Pick<Action<P, Q, B, R>, Defaulted>> & { paths: readonly [Path, ...string[]] }

type KeysOf<Path extends string> = z.ZodObject<Record<Named<Path>, typeof key>>
type Named<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Named<Rest>
  : never

const nothing = z.object({})
const key = z.coerce.number().int().positive()

function keysOf(path: string): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return z.object(Object.fromEntries(names.map(name => [name, key])))
}
