import type { Resource } from '@emma/contract/define-resource.ts'
import type { ListQuery } from '@emma/contract/list-query.ts'
import type { Create, Listed, Patch, Row } from '@emma/contract/resource-schemas.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from './actor.ts'

/** A record on the wire, or what a caller writes of it. */
export type Fields = Record<string, unknown>

export interface Page<Record = Fields> {
  data: Record[]
  /** Records of other resources: `{ type, id, …fields }`, each once. */
  included: Fields[]
  total: number
}

/** What a write brings besides its fields. `revision`: X-Revision of the caller, null when it sent none. */
export interface WriteOptions {
  revision: number | null
  /** PUT: what the input leaves out goes back to its default (T18). */
  whole?: boolean
}

/** What `DELETE ?test` answers (T17). */
export interface Removal {
  deletable: boolean
  references: { type: string; id: number; name: string }[]
}

/**
 * The six things a resource can do. Each gets the database (a pool's handle or a transaction), who acts, and the
 * rows it may touch. Errors: EmmaError of the contract (`not_found`, `faulty_revision`, `unique_violation`, `in_use` …).
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
  /** Takes a removal back, within `restorableMinutes`. Says nothing of who may; see `restoreRecord`. */
  restore(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<void>
}
