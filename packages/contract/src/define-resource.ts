import type { z } from 'zod'
import type { Area } from './areas.ts'
import type { Entity } from './permissions.ts'

export type Fields = Record<string, z.ZodType>

/**
 * A list filter `name[]=value`. `eq` matches any of several values, `contains` is case-insensitive, `after` and
 * `before` include the bound, `flag` is true/false on a boolean column. `special` is implemented by the resource's own
 * SQL.
 */
export interface Filter {
  operator: 'eq' | 'contains' | 'after' | 'before' | 'flag' | 'special'
  /** Column of the table; default: the filter's name. */
  column?: string
  value: z.ZodType
}

/** A related record that a list can include: found by `via` (a field) in the named resource. */
export interface Included {
  resource: string
  via: string
}

/**
 * Definition of an API resource: schemas only, no code. Server routes, list SQL, OpenAPI, typed client, form markers,
 * query keys and the conformance suite are derived from it.
 */
export interface Resource<F extends Fields = Fields, K extends string = keyof F & string> {
  /** Singular name: JSON:API type, cache-match key (R168), translation key. */
  name: string
  area: Area
  entity: Entity
  key: K
  /** Field that identifies a record to users: in reference lists, the command palette, the history and notices. */
  label: K
  /** Mounted paths, the canonical one first. May contain `{client_id}`. All end in `/`. */
  paths: readonly [string, ...string[]]
  /** Rows belong to a client: every access is scoped. */
  tenant: boolean
  /**
   * Restricted to superadmins, whatever permissions others have (T2). `writes`: others may read according to their
   * permissions; `existence`: others may also change records, but not create or delete them.
   */
  superadminOnly?: boolean | 'writes' | 'existence'
  /**
   * All fields on the wire except the common ones (see resource-schemas.ts). The default of a field equals that of its
   * column and is the initial value of forms.
   */
  fields: F
  readOnly: readonly K[]
  /** Accepts bodies above the default limit, up to the installation's maximum. */
  largeBody?: true
  /** Minutes during which a deleted record can be restored, if other than the default. */
  restorableMinutes?: number
  /** Cannot be restored after deletion, as data outside its row is deleted too. */
  deletedForEver?: true
  /** Fields that users see without permissions, of their own clients' records and of those meant for everybody. */
  openFields?: readonly K[]
  /** Fields that are written but never returned. */
  writeOnly?: readonly K[]
  required: { create: readonly K[] }
  filters: Record<string, Filter>
  /** Fields that `search` covers. */
  search: readonly K[]
  sort: readonly K[]
  included: Record<string, Included>
}

/** Minutes during which a deleted record can be restored: to undo a mistake, not an archive. */
export const restorableMinutes = 60

export function restorableMinutesOf({ restorableMinutes: own }: Pick<Resource, 'restorableMinutes'>): number {
  return own ?? restorableMinutes
}

/** Properties whose literal types are kept. */
type Named = 'key' | 'label' | 'tenant' | 'readOnly' | 'writeOnly' | 'required' | 'included'

/** Filters by name. */
type FiltersOf<R extends Resource> = { filters: { [F in keyof R['filters']]: Filter } }

/** Defines a resource and keeps the literal types of its key, required and read-only fields, and the names of its filters. */
export function defineResource<F extends Fields, const R extends Resource<F>>(
  resource: R & { fields: F },
): Omit<Resource<F>, 'filters' | 'included'> & Pick<R, Named> & FiltersOf<R>
export function defineResource(resource: Resource): Resource {
  return resource
}
