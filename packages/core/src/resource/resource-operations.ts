import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { type Filter, type Resource, restorableMinutes } from '@emma/contract/define-resource.ts'
import type { ListQuery } from '@emma/contract/list-query.ts'
import { commonFields, writableFields } from '@emma/contract/resource-schemas.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern, listRows } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import { ownClient, type TenantScope } from './actor.ts'
import { assertDeletable } from './assert-deletable.ts'
import { difference, installation, logChange } from './log-change.ts'
import type { Fields, Operations } from './operations.ts'
import { timeBound } from './time-bound.ts'

/** Where a resource's rows are, and how they differ from its records. */
export interface Source {
  table: string
  /** Fields of the contract that are no columns: made by `toRecord`, or answered by a replaced operation. */
  computed?: readonly string[]
  /** Columns read for `toRecord` that are no fields. */
  hidden?: readonly string[]
  /** Columns of type jsonb. */
  json?: readonly string[]
  /** Values of columns for a new row, where the database's default does not do. */
  toRecord?: (row: Fields) => Fields
  toRow?: (input: Fields) => Fields
  /** SQL of the filters whose operator is `special`. */
  special?: Record<string, (values: unknown[]) => RawBuilder<unknown>>
  /** What points at a row: such a row is not removed. */
  references?: readonly Reference[]
  /** What fields point at: keys of rows of the same client. */
  refersTo?: Record<string, { table: string; key: string }>
}

export interface Reference {
  type: string
  table: string
  /** The column that holds the key, and those that name the row in words. */
  column: string
  key: string
  name: string
  /** Condition (SQL, columns of `table`) for those that count; without it, all do. */
  where?: RawBuilder<unknown>
}

/**
 * The standard six over one table: tenant scope and soft delete on every statement, the revision guarding every
 * write, every change in the log. Areas replace single ones by spreading.
 */
export function resourceOperations(resource: Resource, source: Source): Operations {
  const {
    table,
    computed = [],
    hidden = [],
    json = [],
    special = {},
    references = [],
    refersTo = {},
  } = source
  const toRecord = source.toRecord ?? (row => row)
  const toRow = source.toRow ?? (input => input)
  const columns = [
    ...Object.keys(resource.fields).filter(field => !computed.includes(field)),
    ...Object.keys(commonFields),
    ...(resource.tenant ? ['client_id'] : []),
    ...hidden,
  ]
  const resettable = Object.keys(writableFields(resource)).filter(
    field => field !== 'client_id' && !computed.includes(field),
  )

  function reachable(scope: TenantScope): RawBuilder<unknown>[] {
    if (!resource.tenant || scope.clientIds === 'all') return []
    return [sql`r.client_id = any(${scope.clientIds}::bigint[])`]
  }

  function visible(scope: TenantScope): RawBuilder<unknown>[] {
    return [...reachable(scope), sql`r.deleted_at is null`]
  }

  /** Days begin where the client is. */
  function timezoneOf(scope: TenantScope): RawBuilder<unknown> {
    if (!resource.tenant) return sql`'UTC'`
    // One for all rows, where it is one client's: an index over times can be used then.
    const client =
      scope.clientIds !== 'all' && scope.clientIds.length === 1
        ? sql`${scope.clientIds[0]}::int`
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

  function prepare(input: Fields): Fields {
    const row = toRow(input)
    const entries = Object.entries(row).map(([column, value]) => [
      column,
      json.includes(column) && value !== null && value !== undefined ? JSON.stringify(value) : value,
    ])
    return Object.fromEntries(entries.filter(([column]) => !computed.includes(String(column))))
  }

  async function read(db: Db, scope: TenantScope, id: number): Promise<Fields> {
    const found = await sql<Fields>`
      select ${sql.join(columns.map(column => sql.ref(`r.${column}`)))} from ${sql.table(table)} as r
      where ${sql.ref(`r.${resource.key}`)} = ${id}::bigint and ${sql.join(visible(scope), sql` and `)}`.execute(
      db,
    )
    const row = found.rows[0]
    if (!row) throw new EmmaError('not_found')
    return row
  }

  /** Whose log a change belongs in: the client's, its own when it is a client; else the installation's. */
  function logClient(client: number | null, id: number): number {
    if (resource.tenant && client !== null) return client
    return resource.key === 'client_id' ? id : installation
  }

  /** Locks the row and checks the caller's revision against it. */
  async function lock(db: Db, scope: TenantScope, id: number, revision: number | null): Promise<Fields> {
    await sql`
      select from ${sql.table(table)} as r
      where ${sql.ref(`r.${resource.key}`)} = ${id}::bigint and ${sql.join(visible(scope), sql` and `)} for update`.execute(
      db,
    )
    const row = await read(db, scope, id)
    if (revision !== null && row.revision !== revision) throw new EmmaError('faulty_revision')
    return row
  }

  const operations: Operations = {
    async list(db, _actor, scope, query) {
      const { rows, total } = await listRows(db, {
        from: sql`${sql.table(table)} as r`,
        columns,
        where: [...visible(scope), ...narrowed(query, scope)],
        sort: query.sort,
        key: resource.key,
        distinct: query.distinct,
        limit: query.limit,
        offset: query.offset,
      })
      return { data: rows.map(toRecord), included: [], total }
    },

    async find(db, _actor, scope, id) {
      return toRecord(await read(db, scope, id))
    },

    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const { client_id: wanted, ...values } = prepare(input)
        const client = resource.tenant ? ownClient(actor, clientId ?? numberOrNull(wanted)) : null
        await assertReferences(tx, refersTo, client, values, {})
        const row: Fields = {
          ...values,
          ...(client === null ? {} : { client_id: client }),
          created_by: actor.userId,
          updated_by: actor.userId,
        }
        const names = Object.keys(row).filter(column => row[column] !== undefined)
        const made = await sql<Record<string, number>>`
          insert into ${sql.table(table)} (${sql.join(names.map(column => sql.ref(column)))})
          values (${sql.join(names.map(column => row[column]))})
          returning ${sql.ref(resource.key)}`.execute(tx)
        const id = Number(made.rows[0]?.[resource.key])
        const scope = client === null ? all : { clientIds: [client] }
        await logChange(tx, actor, {
          clientId: logClient(client, id),
          object: resource.name,
          id,
          action: 'create',
          changes: difference({}, await read(tx, scope, id), Object.keys(values)),
        })
        return operations.find(tx, actor, scope, id)
      })
    },

    patch(db, actor, scope, id, input, { revision, whole = false }) {
      return transaction(db, async tx => {
        const before = await lock(tx, scope, id, revision)
        const { client_id: client, ...values } = prepare(input)
        if (resource.tenant && client !== undefined && client !== before.client_id)
          throw invalid([{ field: 'client_id', message: 'cannot be changed' }])
        await assertReferences(tx, refersTo, numberOrNull(before.client_id), values, before)
        const names = Object.keys(values).filter(column => values[column] !== undefined)
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
          clientId: logClient(numberOrNull(after.client_id), id),
          object: resource.name,
          id,
          action: 'update',
          changes: difference(before, after, [...names, ...reset]),
        })
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
          clientId: logClient(numberOrNull(row.client_id), id),
          object: resource.name,
          id,
          action: 'delete',
        })
      })
    },

    async removal(db, _actor, scope, id) {
      const row = await read(db, scope, id)
      const users = await Promise.all(references.map(reference => usersOf(db, reference, row, id)))
      return { deletable: users.flat().length === 0, references: users.flat() }
    },

    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        const conditions = [
          sql`${sql.ref(`r.${resource.key}`)} = ${id}::bigint`,
          ...reachable(scope),
          sql`r.deleted_at > now() - make_interval(mins => ${restorableMinutes})`,
        ]
        const found = await sql<Fields>`
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
          clientId: logClient(numberOrNull(row.client_id), id),
          object: resource.name,
          id,
          action: 'restore',
        })
      })
    },
  }
  return operations
}

const all: TenantScope = { clientIds: 'all' }

/** Keys that are new in a record must be of rows that the client has; the database alone would take removed ones. */
async function assertReferences(
  db: Db,
  refersTo: NonNullable<Source['refersTo']>,
  clientId: number | null,
  values: Fields,
  before: Fields,
): Promise<void> {
  for (const [field, { table, key }] of Object.entries(refersTo)) {
    const wanted = keysOf(values[field]).filter(id => !keysOf(before[field]).includes(id))
    if (wanted.length === 0) continue
    const found = await sql<{ id: number }>`
      select ${sql.ref(key)} as id from ${sql.table(table)}
      where client_id = ${clientId} and ${sql.ref(key)} = any(${wanted}::bigint[]) and deleted_at is null`.execute(
      db,
    )
    const known = new Set(found.rows.map(row => row.id))
    if (wanted.some(id => !known.has(id))) throw invalid([{ field, message: 'does not exist' }])
  }
}

/** What a removed row points at must not have been removed after it: nothing stood in the way of that any more. */
async function assertStillThere(
  db: Db,
  refersTo: NonNullable<Source['refersTo']>,
  row: Fields,
): Promise<void> {
  for (const [field, { table, key }] of Object.entries(refersTo)) {
    const gone = await sql`
      select from ${sql.table(table)}
      where client_id = ${row.client_id} and ${sql.ref(key)} = any(${keysOf(row[field])}::bigint[])
        and deleted_at >= ${row.deleted_at}`.execute(db)
    if (gone.rows.length > 0) throw invalid([{ field, message: 'does not exist' }])
  }
}

function keysOf(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'number')
}

async function usersOf(db: Db, reference: Reference, row: Fields, id: number) {
  const { type, table, column, key, name, where = sql`true` } = reference
  const found = await sql<{ id: number; name: string }>`
    select ${sql.ref(key)} as id, ${sql.ref(name)} as name from ${sql.table(table)}
    where client_id = ${row.client_id} and ${sql.ref(column)} = ${id} and deleted_at is null and ${where}
    order by ${sql.ref(key)} limit 10`.execute(db)
  return found.rows.map(user => ({ type, ...user }))
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
      throw new EmmaError('bad_request', 'This filter is not answered here')
  }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
