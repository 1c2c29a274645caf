import type { z } from 'zod'
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
  /** How the answer travels: JSON by default, text (notifications), or a file. */
  answer?: 'json' | 'text' | 'file'
}

export function defineAction<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(action: Action<P, Q, B, R>): Action<P, Q, B, R> {
  return action
}
