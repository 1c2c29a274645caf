import type { z } from 'zod'
import type { Area } from './areas.ts'
import type { Entity } from './permissions.ts'

export type Fields = Record<string, z.ZodType>

/**
 * How a `name[]=value` filter narrows a list. `eq` takes several values (any of them), `contains` is
 * case-insensitive, `after` and `before` include the bound, `flag` is true/false on a boolean column.
 * `special` is answered by the area's own SQL.
 */
export interface Filter {
  operator: 'eq' | 'contains' | 'after' | 'before' | 'flag' | 'special'
  /** Column of the source; the filter's name when left out. */
  column?: string
  value: z.ZodType
}

/** A record that a list may carry beside its rows: found by `via` (a field) in the resource named. */
export interface Included {
  resource: string
  via: string
}

/**
 * What one resource of the API is: plain schemas, nothing that runs. Server routes, list SQL, OpenAPI,
 * typed client, form markers, query keys and the conformance suite are derived from it.
 */
export interface Resource<F extends Fields = Fields, K extends string = keyof F & string> {
  /** Singular name: JSON:API type, cache-match key (R168), translation key. */
  name: string
  area: Area
  entity: Entity
  key: K
  /** The field that names a record to people: in lists of references, the palette, the history, notices. */
  label: K
  /** Mounted paths, the first is the canonical one. May contain `{client_id}`. All end in `/`. */
  paths: readonly [string, ...string[]]
  /** Rows belong to a client: every access is scoped. */
  tenant: boolean
  /**
   * Only superadmins, whatever permissions others hold (T2). `writes`: others read what their permissions let them;
   * `existence`: others change records as well, but neither make nor remove them.
   */
  superadminOnly?: boolean | 'writes' | 'existence'
  /**
   * Every field on the wire except the common ones (see resource-schemas.ts). A field's default is what a new record has
   * when nobody says otherwise: its column has the same one, forms begin with it.
   */
  fields: F
  readOnly: readonly K[]
  /** Bodies past the usual size, as large as the installation allows at all. */
  largeBody?: true
  /** Deleted, it cannot be brought back: something beside its row goes with it. */
  deletedForEver?: true
  /** What people see of the records of their own clients without any right: the start-up needs it. */
  openFields?: readonly K[]
  /** Fields that are written and never answered. */
  writeOnly?: readonly K[]
  required: { create: readonly K[] }
  filters: Record<string, Filter>
  /** Fields `search` looks into. */
  search: readonly K[]
  sort: readonly K[]
  included: Record<string, Included>
}

/** Minutes in which what was deleted can be brought back: to undo a deletion, not to keep an archive. */
export const restorableMinutes = 60

/** What types know of a resource by name. */
type Named = 'key' | 'label' | 'tenant' | 'readOnly' | 'writeOnly' | 'required' | 'included'

/** A resource, its types knowing by name what its key is, what is required and what is read-only. */
export function defineResource<F extends Fields, const R extends Resource<F>>(
  resource: R & { fields: F },
): Omit<Resource<F>, 'included'> & Pick<R, Named> {
  return resource
}
