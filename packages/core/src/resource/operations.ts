import type { Resource } from '@emma/contract/define-resource.ts'
import type { ListQuery } from '@emma/contract/list-query.ts'
import type { Create, Listed, Patch, Row } from '@emma/contract/resource-schemas.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from './actor.ts'

/** Fields of a record on the wire, or of a write. */
export type Fields = Record<string, unknown>

export interface Page<Record = Fields> {
  data: Record[]
  /** Records of other resources: `{ type, id, …fields }`, each once. */
  included: Fields[]
  total: number
}

/** Options of a write. `revision`: X-Revision of the request, null when it sent none. */
export interface WriteOptions {
  revision: number | null
  /** PUT: fields that the input omits are reset to their defaults (T18). */
  whole?: boolean
}

/** Response of `DELETE ?test` (T17). */
export interface Removal {
  deletable: boolean
  references: { type: string; id: number; name: string }[]
}

/**
 * Operations of a resource. Each gets the database (a pool or a transaction), the actor and the tenant scope. Errors:
 * EmmaError of the contract (`not_found`, `faulty_revision`, `unique_violation`, `in_use` …).
 */
export interface Operations<R extends Resource = Resource, Record = Row<R>> {
  list(db: Db, actor: Actor, scope: TenantScope, query: ListQuery): Promise<Page<Listed<R, Record>>>
  find(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<Record>
  create(db: Db, actor: Actor, clientId: number | null, input: Create<R>): Promise<Record>
  patch(
    db: Db,
    actor: Actor,
    scope: TenantScope,
    id: number,
    input: Patch<R>,
    options: WriteOptions,
  ): Promise<Record>
  remove(db: Db, actor: Actor, scope: TenantScope, id: number, options: WriteOptions): Promise<void>
  /** Dry run of remove. */
  removal(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<Removal>
  /** Restores a deleted record within its `restorableMinutes`. Does not check permissions; see `restoreRecord`. */
  restore(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<void>
}
