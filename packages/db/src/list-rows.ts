import { CompiledQuery, type DialectAdapter, type RawBuilder, sql } from 'kysely'
import type { Db } from './connection.ts'

export interface ListRequest {
  /** FROM item with its alias: `mailclass as r`, or a subquery. */
  from: RawBuilder<unknown>
  columns: readonly string[]
  /** Conditions joined by AND. They include the tenant scope, which callers cannot omit (see resource-operations). */
  where: readonly RawBuilder<unknown>[]
  /** Allow-listed by the contract. The key follows as tie-breaker, so pages never overlap. */
  sort: { field: string; descending: boolean } | null
  /** Sort expression if it is not the field itself: never null, indexed, and without parameters. */
  sortBy?: RawBuilder<unknown> | undefined
  key: string
  /** One row per value of this column, the one with the highest key. */
  distinct?: string | null | undefined
  limit: number
  offset: number
}

/** Rows counted exactly; beyond, the full count is cached for `totalLife` (performance.md, API). */
const exactTotal = 10_000
const totalLife = 5_000
interface Total {
  total: Promise<number>
  /** When the count began. */
  since: number
  isCounting: boolean
  isRenewed: boolean
}
type Totals = Map<string, Total>
/** Keyed by the adapter, which a database shares with its transactions. */
const keptTotals = new WeakMap<DialectAdapter, Totals>()

/** Reads one page of rows, and the total: exact up to 10,000, otherwise at most 5 s old. */
export async function listRows<Row = Record<string, unknown>>(
  db: Db,
  request: ListRequest,
): Promise<{ rows: Row[]; total: number }> {
  const { columns, limit, offset } = request
  const source = sourceOf(request).compile(db)
  const order = orderOf(request).compile(db)
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(
      `select ${columnList(columns)} ${source.sql} ${order.sql} ${limitAfter(source.parameters.length)}`,
      [...source.parameters, limit, offset],
    ),
  )
  const seen = offset + rows.length
  const isLastPage = rows.length > 0 ? rows.length < limit : offset === 0 && limit > 0
  const total = isLastPage ? seen : await countRows(db, source)
  return { rows, total }
}

function limitAfter(parameters: number): string {
  return `limit $${parameters + 1} offset $${parameters + 2}`
}

/** Rows without a value come last in both directions. An index is only read backwards if there are none. */
function orderOf({ sort, sortBy, key }: ListRequest): RawBuilder<unknown> {
  const direction = sql.raw(!sort || sort.descending ? 'desc' : 'asc')
  if (!sort || sort.field === key) return sql`order by ${sql.ref(`r.${key}`)} ${direction}`
  const first = sortBy ?? sql`${sql.ref(`r.${sort.field}`)}`
  const nulls = sql.raw(sortBy ? '' : ' nulls last')
  return sql`order by ${first} ${direction}${nulls}, ${sql.ref(`r.${key}`)} ${direction}`
}

/** FROM and WHERE. Compiled once a call, for the rows and for the total. */
function sourceOf({ from, where, distinct, columns, key }: ListRequest): RawBuilder<unknown> {
  const condition = where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : sql``
  if (!distinct) return sql`from ${from} ${condition}`
  const column = sql.ref(`r.${distinct}`)
  return sql`from (select distinct on (${column}) ${sql.raw(columnList(columns))}
    from ${from} ${condition} order by ${column}, ${sql.ref(`r.${key}`)} desc) as r`
}

function columnList(columns: readonly string[]): string {
  return columns.map(column => `r."${column.replaceAll('"', '""')}"`).join(', ')
}

async function countRows(db: Db, source: CompiledQuery): Promise<number> {
  const name = `${source.sql} ${JSON.stringify(source.parameters)}`
  const totals = totalsOf(db)
  const kept = currentTotal(totals, name)
  if (kept) {
    // Recounted while the cached total is still valid, so nobody waits. A transaction must not be used after its
    // call.
    const isHalfOver = Date.now() - kept.since > totalLife / 2
    if (isHalfOver && !kept.isCounting && !kept.isRenewed && !db.isTransaction) {
      kept.isRenewed = true
      const since = Date.now()
      countAll(db, source).then(
        total => keep(totals, name, Promise.resolve(total), since),
        () => (kept.isRenewed = false),
      )
    }
    return kept.total
  }
  const some = await readTotal(
    db,
    `select count(*) as total from (select ${source.sql} limit ${exactTotal + 1}) as counted`,
    source.parameters,
  )
  if (some <= exactTotal) return some
  // Calls at the same time wait for one count, not for one each.
  const begun = currentTotal(totals, name)
  if (begun) return begun.total
  const counting = countAll(db, source)
  keep(totals, name, counting, Date.now())
  return counting
}

function countAll(db: Db, source: CompiledQuery): Promise<number> {
  return readTotal(db, `select count(*) as total ${source.sql}`, source.parameters)
}

async function readTotal(db: Db, text: string, parameters: readonly unknown[]): Promise<number> {
  const { rows } = await db.executeQuery<{ total: number }>(CompiledQuery.raw(text, [...parameters]))
  return rows[0]?.total ?? 0
}

function totalsOf(db: Db): Totals {
  const { adapter } = db.getExecutor()
  const totals: Totals = keptTotals.get(adapter) ?? new Map()
  keptTotals.set(adapter, totals)
  return totals
}

function currentTotal(totals: Totals, name: string): Total | undefined {
  const kept = totals.get(name)
  return kept && isCurrent(kept) ? kept : undefined
}

/** A count that takes longer than its result lives is still the only one. */
function isCurrent({ isCounting, since }: Total): boolean {
  return isCounting || Date.now() - since < totalLife
}

/** A failed count is not cached. */
function keep(totals: Totals, name: string, total: Promise<number>, since: number): void {
  for (const [other, entry] of totals) if (!isCurrent(entry)) totals.delete(other)
  const entry = { total, since, isCounting: true, isRenewed: false }
  totals.set(name, entry)
  total.then(
    () => (entry.isCounting = false),
    () => totals.get(name) === entry && totals.delete(name),
  )
}

/** `%term%` with LIKE's special characters escaped. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, sign => `\\${sign}`)}%`
}
