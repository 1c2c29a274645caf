import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { type Filter, type Resource, restorableMinutesOf } from '@emma/contract/define-resource.ts'
import type { ListQuery } from '@emma/contract/list-query.ts'
import {
  commonFields,
  type Create,
  type Patch,
  type Row,
  writableFields,
} from '@emma/contract/resource-schemas.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { Database } from '@emma/db/database-types.ts'
import { likePattern, listRows } from '@emma/db/list-rows.ts'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type Actor, ownClient, type TenantScope } from './actor.ts'
import { assertDeletable } from './assert-deletable.ts'
import { difference, installation, logChange } from './log-change.ts'
import type { Fields, Operations, WriteOptions } from './operations.ts'
import { findReferences, type Reference } from './references.ts'
import { tellCaches } from './tell-caches.ts'
import { timeBound } from './time-bound.ts'
import { fault } from '@emma/contract/faults.ts'

/** Columns that an operation writes besides the input. */
export type Columns<T extends keyof Database> = {
  [C in keyof Updateable<Database[T]>]?: Updateable<Database[T]>[C] | RawBuilder<unknown>
}

/**
 * The table of a resource, and how its rows differ from its records. A row arrives as JSON would carry it, so most
 * records are rows.
 *
 * `C`: fields that `toRecord` computes; `A`: fields that an overridden operation adds; `H`: columns that are encrypted
 * or no fields.
 */
export interface Source<
  R extends Resource,
  T extends keyof Database,
  C extends keyof R['fields'],
  A extends keyof R['fields'],
  H extends keyof Selectable<Database[T]>,
> {
  table: T
  /** Fields of the contract that are no columns, computed by `toRecord`. */
  computed?: readonly C[]
  /** Fields of the contract that are no columns, added by an overridden operation. */
  added?: readonly A[]
  /** Columns that are read for `toRecord` and returned in another form, or not at all. */
  hidden?: readonly H[]
  /** Columns of type jsonb. */
  json?: readonly (keyof R['fields'])[]
  /** Fields of a record that replace its hidden columns or outdated values. */
  toRecord?: (
    row: Omit<Row<R>, NoInfer<C | A | H>> & Pick<Selectable<Database[T]>, NoInfer<H>>,
  ) => Pick<Row<R>, NoInfer<C | H> & keyof Row<R>> & Partial<Row<R>>
  /** Columns of a row that replace or complement the input. Undefined leaves a column unchanged. */
  toRow?: (input: Patch<R>) => Columns<T>
  /** SQL of the filters with the operator `special`. */
  special?: Record<string, (values: unknown[]) => RawBuilder<unknown>>
  /** Servers cache data of this table: every write clears the caches. */
  isCached?: boolean
  /** References to a row that prevent its deletion. */
  references?: readonly Reference[]
  /** Fields that refer to keys of rows of the same client. */
  refersTo?: { [F in keyof R['fields']]?: Target }
}

interface Target {
  table: keyof Database
  key: string
}

/** The standard operations with an argument for additional columns, for operations that override them. */
export interface StandardOperations<
  R extends Resource,
  T extends keyof Database,
  A extends PropertyKey = never,
> extends Operations<R, Omit<Row<R>, A>> {
  create(
    db: Db,
    actor: Actor,
    clientId: number | null,
    input: Omit<Create<R>, A>,
    columns?: Columns<T>,
  ): Promise<Omit<Row<R>, A>>
  patch(
    db: Db,
    actor: Actor,
    scope: TenantScope,
    id: number,
    input: Patch<R>,
    options: WriteOptions,
    columns?: Columns<T>,
  ): Promise<Omit<Row<R>, A>>
}

/** A row as read: the columns that all tables share. */
type Stored = Fields & { revision: number; client_id?: number | null }

/**
 * The standard operations over one table: tenant scope and soft delete on every statement, revision check on every
 * write, every change in the audit log. Resources override single operations by spreading.
 */
export function resourceOperations<
  R extends Resource,
  T extends keyof Database,
  const C extends keyof R['fields'] = never,
  const A extends keyof R['fields'] = never,
  const H extends keyof Selectable<Database[T]> = never,
>(resource: R, source: Source<R, T, C, A, H>): StandardOperations<R, T, A> {
  const { table, special = {}, isCached = false, references = [] } = source
  const json = new Set<unknown>(source.json)
  const hidden = (source.hidden ?? []).map(String)
  const elsewhere = new Set<unknown>([...(source.computed ?? []), ...(source.added ?? [])])
  const refersTo: Pointers = Object.entries<Target | undefined>({ ...source.refersTo }).flatMap(
    ([field, target]) => (target ? [[field, target]] : []),
  )
  const columns = [
    ...new Set([
      ...Object.keys(resource.fields).filter(field => !elsewhere.has(field)),
      ...Object.keys(commonFields),
      ...(resource.tenant ? ['client_id'] : []),
      ...hidden,
    ]),
  ]
  const resettable = Object.keys(writableFields(resource)).filter(
    field => field !== 'client_id' && !elsewhere.has(field),
  )

  /** Converts a row to a record; from here on the contract's types hold. */
  function present(row: Stored): Omit<Row<R>, A> {
    const shown = Object.entries(row).filter(([column]) => !hidden.includes(column))
    const made = source.toRecord?.(row as unknown as Parameters<typeof source.toRecord>[0])
    return { ...Object.fromEntries(shown), ...made } as unknown as Omit<Row<R>, A>
  }

  /** Converts the input to columns. */
  function prepare(input: Patch<R> | Omit<Create<R>, A>, own: Columns<T> = {}): Stored {
    const made = source.toRow?.(input as Patch<R>)
    const entries = Object.entries({ ...input, ...made, ...own })
      .filter(([column, value]) => value !== undefined && !elsewhere.has(column))
      .map(([column, value]) => [column, json.has(column) && value !== null ? JSON.stringify(value) : value])
    return Object.fromEntries(entries)
  }

  function reachable(scope: TenantScope): RawBuilder<unknown>[] {
    if (!resource.tenant || scope.clientIds === 'all') return []
    return [sql`r.client_id = any(${scope.clientIds}::bigint[])`]
  }

  function visible(scope: TenantScope): RawBuilder<unknown>[] {
    return [...reachable(scope), sql`r.deleted_at is null`]
  }

  /** Time zone in which filter days begin. */
  function timezoneOf(scope: TenantScope): RawBuilder<unknown> {
    if (!resource.tenant) return sql`'UTC'`
    // One constant for the scope of a single client, so that indexes over times can be used.
    const client =
      scope.clientIds !== 'all' && scope.clientIds.length === 1
        ? sql`${scope.clientIds[0]}::bigint`
        : sql`r.client_id`
    return sql`(select place.timezone from client as place where place.client_id = ${client})`
  }

  function narrowed(query: ListQuery, scope: TenantScope): RawBuilder<unknown>[] {
    const conditions = Object.entries(query.filters).map(([name, values]) => {
      const own = special[name]
      if (own) return own(values)
      if (name === resource.key) return sql`${sql.ref(`r.${name}`)} = any(${values}::bigint[])`
      const filter: Omit<Filter, 'value'> = resource.filters[name] ?? { operator: 'eq' }
      return compare(sql.ref(`r.${filter.column ?? name}`), filter.operator, values, timezoneOf(scope))
    })
    if (query.search === null || resource.search.length === 0) return conditions
    const pattern = likePattern(query.search)
    const hits = resource.search.map(field => sql`${sql.ref(`r.${field}`)} ilike ${pattern}`)
    return [...conditions, sql`(${sql.join(hits, sql` or `)})`]
  }

  async function read(db: Db, scope: TenantScope, id: number): Promise<Stored> {
    const found = await sql<Stored>`
      select ${sql.join(columns.map(column => sql.ref(`r.${column}`)))} from ${sql.table(table)} as r
      where ${sql.ref(`r.${resource.key}`)} = ${id}::bigint and ${sql.join(visible(scope), sql` and `)}`.execute(
      db,
    )
    const row = found.rows[0]
    if (!row) throw new EmmaError('not_found')
    return row
  }

  /** Client whose audit log a change belongs to: the record's, the client itself, or the installation. */
  function logClient({ client_id: client }: Pick<Stored, 'client_id'>, id: number): number {
    if (resource.tenant && client) return client
    return resource.key === 'client_id' ? id : installation
  }

  /** Locks the row and checks the request's revision. */
  async function lock(db: Db, scope: TenantScope, id: number, revision: number | null): Promise<Stored> {
    await sql`
      select from ${sql.table(table)} as r
      where ${sql.ref(`r.${resource.key}`)} = ${id}::bigint and ${sql.join(visible(scope), sql` and `)} for update`.execute(
      db,
    )
    const row = await read(db, scope, id)
    if (revision !== null && row.revision !== revision) throw new EmmaError('faulty_revision')
    return row
  }

  const operations: StandardOperations<R, T, A> = {
    async list(db, _actor, scope, query) {
      const { rows, total } = await listRows<Stored>(db, {
        from: sql`${sql.table(table)} as r`,
        columns,
        where: [...visible(scope), ...narrowed(query, scope)],
        sort: query.sort,
        key: resource.key,
        distinct: query.distinct,
        limit: query.limit,
        offset: query.offset,
      })
      return { data: rows.map(present), included: [], total }
    },

    async find(db, _actor, scope, id) {
      return present(await read(db, scope, id))
    },

    create(db, actor, clientId, input, own) {
      return transaction(db, async tx => {
        const { client_id: wanted, ...values } = prepare(input, own)
        const client = resource.tenant ? ownClient(actor, clientId ?? wanted ?? null) : null
        await assertReferences(tx, refersTo, client, values, {})
        const row: Fields = {
          ...values,
          ...(client === null ? {} : { client_id: client }),
          created_by: actor.userId,
          updated_by: actor.userId,
        }
        const names = Object.keys(row)
        const made = await sql<Record<string, number>>`
          insert into ${sql.table(table)} (${sql.join(names.map(column => sql.ref(column)))})
          values (${sql.join(names.map(column => row[column]))})
          returning ${sql.ref(resource.key)}`.execute(tx)
        const id = Number(made.rows[0]?.[resource.key])
        const scope = client === null ? all : { clientIds: [client] }
        await logChange(tx, actor, {
          clientId: logClient({ client_id: client }, id),
          object: resource.name,
          id,
          action: 'create',
          changes: difference({}, await read(tx, scope, id), Object.keys(values)),
        })
        if (isCached) await tellCaches(tx)
        return operations.find(tx, actor, scope, id)
      })
    },

    patch(db, actor, scope, id, input, { revision, whole = false }, own) {
      return transaction(db, async tx => {
        const before = await lock(tx, scope, id, revision)
        const { client_id: client, ...values } = prepare(input, own)
        if (resource.tenant && client !== undefined && client !== before.client_id)
          throw invalid([fieldError('client_id', 'field.fixed')])
        await assertReferences(tx, refersTo, before.client_id ?? null, values, before)
        const names = Object.keys(values)
        const reset = whole ? resettable.filter(column => !(column in input)) : []
        const assignments = [
          ...names.map(column => sql`${sql.ref(column)} = ${values[column]}`),
          ...reset.map(column => sql`${sql.ref(column)} = default`),
        ]
        await sql`
          update ${sql.table(table)} as r
          set ${sql.join([
            ...assignments,
            sql`updated_at = now()`,
            sql`updated_by = ${actor.userId}`,
            sql`revision = r.revision + 1`,
          ])}
          where ${sql.ref(`r.${resource.key}`)} = ${id}::bigint and ${sql.join(visible(scope), sql` and `)}`.execute(
          tx,
        )
        const after = await read(tx, scope, id)
        await logChange(tx, actor, {
          clientId: logClient(after, id),
          object: resource.name,
          id,
          action: 'update',
          changes: difference(before, after, [...names, ...reset]),
        })
        if (isCached) await tellCaches(tx)
        return operations.find(tx, actor, scope, id)
      })
    },

    remove(db, actor, scope, id, { revision }) {
      return transaction(db, async tx => {
        const row = await lock(tx, scope, id, revision)
        assertDeletable(await operations.removal(tx, actor, scope, id))
        await sql`
          update ${sql.table(table)} as r
          set deleted_at = now(), updated_by = ${actor.userId}, revision = r.revision + 1
          where ${sql.ref(`r.${resource.key}`)} = ${id}::bigint and ${sql.join(visible(scope), sql` and `)}`.execute(
          tx,
        )
        await logChange(tx, actor, {
          clientId: logClient(row, id),
          object: resource.name,
          id,
          action: 'delete',
        })
        if (isCached) await tellCaches(tx)
      })
    },

    async removal(db, _actor, scope, id) {
      const row = await read(db, scope, id)
      const found = await findReferences(db, references, { clientId: row.client_id ?? null, id })
      return { deletable: found.length === 0, references: found }
    },

    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        const conditions = [
          sql`${sql.ref(`r.${resource.key}`)} = ${id}::bigint`,
          ...reachable(scope),
          sql`r.deleted_at > now() - make_interval(mins => ${restorableMinutesOf(resource)})`,
        ]
        const found = await sql<Stored>`
          select ${sql.join([...columns, 'deleted_at'].map(column => sql.ref(`r.${column}`)))}
          from ${sql.table(table)} as r where ${sql.join(conditions, sql` and `)} for update`.execute(tx)
        const row = found.rows[0]
        if (!row) throw new EmmaError('not_found')
        await assertStillThere(tx, refersTo, row)
        await sql`
          update ${sql.table(table)} as r
          set deleted_at = null, updated_by = ${actor.userId}, revision = r.revision + 1
          where ${sql.join(conditions, sql` and `)}`.execute(tx)
        await logChange(tx, actor, {
          clientId: logClient(row, id),
          object: resource.name,
          id,
          action: 'restore',
        })
        if (isCached) await tellCaches(tx)
      })
    },
  }
  return operations
}

const all: TenantScope = { clientIds: 'all' }

type Pointers = readonly (readonly [field: string, Target])[]

/** Checks that newly referenced rows exist for the client; a foreign key alone would accept deleted ones. */
async function assertReferences(
  db: Db,
  refersTo: Pointers,
  clientId: number | null,
  values: Fields,
  before: Fields,
): Promise<void> {
  for (const [field, { table, key }] of refersTo) {
    const wanted = keysOf(values[field]).filter(id => !keysOf(before[field]).includes(id))
    if (wanted.length === 0) continue
    const found = await sql<{ id: number }>`
      select ${sql.ref(key)} as id from ${sql.table(table)}
      where client_id = ${clientId} and ${sql.ref(key)} = any(${wanted}::bigint[]) and deleted_at is null`.execute(
      db,
    )
    const known = new Set(found.rows.map(row => row.id))
    if (wanted.some(id => !known.has(id))) throw invalid([fieldError(field, 'field.not_there')])
  }
}

/** Checks that no referenced row was deleted after the row itself, when nothing protected it any more. */
async function assertStillThere(db: Db, refersTo: Pointers, row: Fields): Promise<void> {
  for (const [field, { table, key }] of refersTo) {
    const gone = await sql`
      select from ${sql.table(table)}
      where client_id = ${row.client_id} and ${sql.ref(key)} = any(${keysOf(row[field])}::bigint[])
        and deleted_at >= ${row.deleted_at}`.execute(db)
    if (gone.rows.length > 0) throw invalid([fieldError(field, 'field.not_there')])
  }
}

function keysOf(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'number')
}

function compare(
  column: RawBuilder<unknown>,
  operator: Filter['operator'],
  values: unknown[],
  timezone: RawBuilder<unknown>,
): RawBuilder<unknown> {
  switch (operator) {
    case 'eq':
      return sql`${column} in (${sql.join(values)})`
    case 'flag':
      return sql`${column} in (${sql.join(values)})`
    case 'contains':
      return sql`(${sql.join(
        values.map(value => sql`${column} ilike ${likePattern(String(value))}`),
        sql` or `,
      )})`
    case 'after':
    case 'before':
      return timeBound(column, operator, values[0], timezone)
    case 'special':
      throw new EmmaError('bad_request', fault('refusal.filter_special'))
  }
}
