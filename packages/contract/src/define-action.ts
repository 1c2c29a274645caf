import { z } from 'zod'
import type { Area } from './areas.ts'
import type { Permission } from './permissions.ts'

/** A call that is no plain record access: a verb on a record, an upload, a figure. */
export interface Action<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  name: string
  area: Area
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` parameters and colon verbs as the specification writes them. */
  paths: readonly [string, ...string[]]
  /** `null`: any session; `'public'`: no session needed. */
  permission: Permission | null | 'public'
  /** Needed besides `permission`: for what the answer holds. */
  alsoNeeds?: readonly Permission[]
  superadminOnly?: boolean
  /** Changes nothing, whatever its method says: no entry in the audit log. */
  reads?: true
  /** Reads much at once: a client has few of them at a time, on connections of their own, ten seconds a statement. */
  slow?: true
  /** Keeps a file: refused with 507 (`disk_full`) while the disk is almost full. */
  keepsFile?: true
  /** The body travels as multipart/form-data: `body` as the JSON part `data`, then the file in the part `file`. */
  takesFile?: true
  /** Bodies past the usual size, as large as the installation allows at all. */
  largeBody?: true
  /** Calls a minute that one address may make, where fewer than usual. */
  perMinute?: number
  params: P
  query: Q
  body: B
  response: R
  /** Cache-match names whose kept answers a success evicts (R167, R168). */
  evicts?: readonly string[]
  /** The status of a success, where it is not 200: made, taken up to be done, nothing to answer. */
  status?: 201 | 202 | 204
  /** How the answer travels: JSON by default, text (notifications), or a file. */
  answer?: 'json' | 'text' | 'file'
}

/**
 * An action, with what is usual where the definition says nothing: GET; as parameters the keys that the first path
 * names, each a positive whole number; no query; a body that nobody looks at.
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

/** An action as it is written: what is left out has a default. */
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
