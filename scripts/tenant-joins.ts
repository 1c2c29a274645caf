import { loadModule, parseSync } from 'libpg-query'

/** Columns of each tenant table by its name. Tables of the schema `members` are tenant tables too. */
export type TenantTables = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds joins of two tenant tables without client_id: they could match rows of different tenants, and could not be sharded
 * by client_id. A join is an equality or USING between columns of two tables, anywhere in the statement (FROM, WHERE,
 * correlated subqueries, IN). It is correct if both client_ids are equal to each other, to a third table's, or to a value;
 * a common list of clients is not enough.
 *
 * @returns one line per fault; none if PostgreSQL's parser rejects the text
 */
export async function findTenantJoinFaults(text: string, tables: TenantTables): Promise<string[]> {
  await loadModule()
  const statement = new Statement(tables)
  let parsed: unknown
  try {
    parsed = parseSync(text)
  } catch {
    return []
  }
  for (const { stmt } of list(field(parsed, 'stmts')).map(fieldsOf)) statement.read(stmt)
  return statement.faults()
}

/** A use of a table, subquery or CTE. */
interface Relation {
  name: string
  isTenants: boolean
  /** Null if unknown. */
  columns: ReadonlySet<string> | null
  /** Parent in the union-find forest of relations with equal client_id. */
  same: Relation | null
}

interface Scope {
  relations: Map<string, Relation>
  ctes: ReadonlyMap<string, Relation>
  outer: Scope | null
}

interface Result {
  /** A tenant table whose client_id the result has; null without one. */
  tenants: Relation | null
  columns: ReadonlySet<string> | null
  targets: { value: unknown; scope: Scope }[]
}

const NOTHING: Result = { tenants: null, columns: null, targets: [] }

class Statement {
  readonly #tables: TenantTables
  /** Represents a parameter or constant: relations compared with it have the same client_id. */
  readonly #value = relation('a value', false, null)
  readonly #joins: [Relation, Relation][] = []
  /** Results by subquery: each is reached through the condition and through the expression. */
  readonly #subqueries = new Map<unknown, Result>()

  constructor(tables: TenantTables) {
    this.#tables = tables
  }

  faults(): string[] {
    const apart = this.#joins.filter(([one, other]) => rootOf(one) !== rootOf(other))
    const lines = apart.map(([one, other]) => `${one.name} and ${other.name} are joined without client_id`)
    return [...new Set(lines)]
  }

  read(node: unknown, outer: Scope | null = null): Result {
    const [[kind, value] = []] = Object.entries(fieldsOf(node))
    switch (kind) {
      case 'SelectStmt':
        return this.#select(fieldsOf(value), outer)
      case 'InsertStmt':
      case 'UpdateStmt':
      case 'DeleteStmt':
        return this.#write(fieldsOf(value), outer)
      default:
        this.#walk(value, outer ?? emptyScope(null))
        return NOTHING
    }
  }

  #subquery(link: unknown, scope: Scope): Result {
    const query = field(link, 'subselect')
    const result = this.#subqueries.get(query) ?? this.read(query, scope)
    this.#subqueries.set(query, result)
    return result
  }

  #select(select: Fields, outer: Scope | null): Result {
    const scope = this.#scopeOf(select, outer)
    if (select.op !== 'SETOP_NONE' && select.larg) {
      const left = this.#select(fieldsOf(select.larg), scope)
      const right = this.#select(fieldsOf(select.rarg), scope)
      if (left.tenants && right.tenants) unite(left.tenants, right.tenants)
      return { ...left, tenants: left.tenants ?? right.tenants }
    }
    const { fromClause, targetList, whereClause, withClause: _, ...rest } = select
    for (const item of list(fromClause)) this.#from(item, scope)
    this.#tie(whereClause, scope)
    this.#walk([targetList, whereClause, rest], scope)
    return this.#result(scope, list(targetList))
  }

  #write(write: Fields, outer: Scope | null): Result {
    const scope = this.#scopeOf(write, outer)
    const { relation: target, withClause: _, ...rest } = write
    const written = this.#table(fieldsOf(target), scope)
    if (write.selectStmt) {
      const source = this.read(write.selectStmt, { ...scope, relations: new Map() })
      return {
        ...this.#result(scope, list(write.returningList)),
        tenants: written.isTenants ? written : source.tenants,
      }
    }
    for (const item of [...list(write.fromClause), ...list(write.usingClause)]) this.#from(item, scope)
    this.#tie(write.whereClause, scope)
    const { fromClause: _from, usingClause: _using, ...expressions } = rest
    this.#walk(expressions, scope)
    return this.#result(scope, list(write.returningList))
  }

  /** Creates the scope of a statement with its CTEs. */
  #scopeOf(statement: Fields, outer: Scope | null): Scope {
    const ctes = new Map(outer?.ctes)
    const scope = { relations: new Map<string, Relation>(), ctes, outer }
    const clause = fieldsOf(statement.withClause)
    for (const cte of list(clause.ctes).map(one => fieldsOf(field(one, 'CommonTableExpr')))) {
      const name = String(cte.ctename)
      const placeholder = relation(name, false, null)
      if (clause.recursive) ctes.set(name, placeholder)
      const derived = derive(name, this.read(cte.ctequery, scope), namesIn(cte.aliascolnames))
      unite(placeholder, derived)
      ctes.set(name, derived)
    }
    return scope
  }

  #result(scope: Scope, targets: readonly unknown[]): Result {
    const values = targets.map(target => fieldsOf(field(target, 'ResTarget')))
    const names = values.map(({ name, val }) => name ?? columnOf(val)?.column ?? '')
    return {
      tenants: [...scope.relations.values()].find(({ isTenants }) => isTenants) ?? null,
      columns: names.includes('*') ? null : new Set(names.map(String)),
      targets: values.map(({ val }) => ({ value: val, scope })),
    }
  }

  /** Adds an item of FROM to the scope; returns its relations. */
  #from(item: unknown, scope: Scope): Relation[] {
    const [[kind, value] = []] = Object.entries(fieldsOf(item))
    const fields = fieldsOf(value)
    if (kind === 'RangeVar') return [this.#table(fields, scope)]
    if (kind === 'JoinExpr') return this.#join(fields, scope)
    const alias = fieldsOf(fields.alias)
    const name = textOf(alias.aliasname)
    const columns = namesIn(alias.colnames)
    if (kind === 'RangeSubselect')
      return [add(scope, name, derive(name, this.read(fields.subquery, scope), columns))]
    this.#walk(value, scope)
    return [add(scope, name, relation(name, false, columns.size > 0 ? columns : null))]
  }

  #table({ schemaname, relname, alias }: Fields, scope: Scope): Relation {
    const table = textOf(relname)
    const name = textOf(fieldsOf(alias).aliasname) || table
    const cte = schemaname === undefined ? scope.ctes.get(table) : undefined
    const columns = this.#tables.get(table) ?? null
    const isTenants = cte?.isTenants ?? (schemaname === 'members' || columns !== null)
    const used = relation(name === table ? table : `${table} ${name}`, isTenants, cte ? cte.columns : columns)
    if (cte) unite(used, cte)
    return add(scope, name, used)
  }

  #join(join: Fields, scope: Scope): Relation[] {
    const left = this.#from(join.larg, scope)
    const right = this.#from(join.rarg, scope)
    const using = namesIn(join.usingClause)
    const sharing = (column: string) =>
      left
        .filter(({ columns }) => columns === null || columns.has(column))
        .slice(0, using.has('client_id') ? undefined : 1)
    for (const column of using)
      for (const one of sharing(column))
        for (const other of right) {
          if (column === 'client_id') unite(one, other)
          else this.#need(one, other)
        }
    this.#tie(join.quals, scope)
    this.#walk(join.quals, scope)
    return [...left, ...right]
  }

  /** Unites relations whose client_ids a condition, or a conjunct of it, sets equal. */
  #tie(condition: unknown, scope: Scope): void {
    const { BoolExpr, A_Expr, SubLink } = fieldsOf(condition)
    if (BoolExpr && field(BoolExpr, 'boolop') === 'AND_EXPR')
      for (const part of list(field(BoolExpr, 'args'))) this.#tie(part, scope)
    if (A_Expr && isEquality(fieldsOf(A_Expr)) && field(A_Expr, 'kind') !== 'AEXPR_OP_ANY') {
      const left = rowOf(field(A_Expr, 'lexpr'))
      const right = rowOf(field(A_Expr, 'rexpr'))
      for (const [index, value] of left.entries()) this.#tiePair(value, scope, right[index], scope)
    }
    if (SubLink && field(SubLink, 'subLinkType') === 'ANY_SUBLINK') {
      const { targets } = this.#subquery(SubLink, scope)
      for (const [index, value] of rowOf(field(SubLink, 'testexpr')).entries())
        this.#tiePair(value, scope, targets[index]?.value, targets[index]?.scope ?? scope)
    }
  }

  #tiePair(one: unknown, oneScope: Scope, other: unknown, otherScope: Scope): void {
    const [left, right] = [columnOf(one), columnOf(other)]
    if (!isClient(left) && !isClient(right)) return
    const [first, second] = [resolve(left, oneScope), resolve(right, otherScope)]
    if (first || second) unite(first ?? this.#value, second ?? this.#value)
  }

  /** Collects joins in an expression and its subqueries. */
  #walk(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const part of node) this.#walk(part, scope)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { SelectStmt, SubLink, A_Expr } = fieldsOf(node)
    if (SelectStmt) return void this.read(node, scope)
    if (SubLink) {
      const { targets } = this.#subquery(SubLink, scope)
      for (const one of this.#relationsIn(field(SubLink, 'testexpr'), scope))
        for (const { value, scope: inner } of targets)
          for (const other of this.#relationsIn(value, inner)) this.#need(one, other)
      return this.#walk(field(SubLink, 'testexpr'), scope)
    }
    if (A_Expr && isEquality(fieldsOf(A_Expr)))
      for (const one of this.#relationsIn(field(A_Expr, 'lexpr'), scope))
        for (const other of this.#relationsIn(field(A_Expr, 'rexpr'), scope)) this.#need(one, other)
    for (const part of Object.values(node)) this.#walk(part, scope)
  }

  #need(one: Relation, other: Relation): void {
    if (one !== other && one.isTenants && other.isTenants) this.#joins.push([one, other])
  }

  /** Relations whose columns an expression uses outside of subqueries. */
  #relationsIn(node: unknown, scope: Scope): Relation[] {
    if (Array.isArray(node)) return node.flatMap(part => this.#relationsIn(part, scope))
    if (typeof node !== 'object' || node === null || 'SubLink' in node) return []
    if ('ColumnRef' in node) return [resolve(columnOf(node), scope) ?? []].flat()
    return Object.values(node).flatMap(part => this.#relationsIn(part, scope))
  }
}

function relation(name: string, isTenants: boolean, columns: Relation['columns']): Relation {
  return { name, isTenants, columns, same: null }
}

function derive(name: string, { tenants, columns }: Result, renamed: ReadonlySet<string>): Relation {
  const derived = relation(name, tenants !== null, renamed.size > 0 ? renamed : columns)
  if (tenants) unite(derived, tenants)
  return derived
}

function add(scope: Scope, name: string, added: Relation): Relation {
  scope.relations.set(name, added)
  return added
}

function emptyScope(outer: Scope | null): Scope {
  return { relations: new Map(), ctes: new Map(outer?.ctes), outer }
}

function rootOf(one: Relation): Relation {
  let root = one
  while (root.same) root = root.same
  return root
}

function unite(one: Relation, other: Relation): void {
  const [root, otherRoot] = [rootOf(one), rootOf(other)]
  if (root !== otherRoot) root.same = otherRoot
}

interface Column {
  relation: string | null
  column: string
}

/** The column an expression consists of, ignoring casts; null for others. */
function columnOf(node: unknown): Column | null {
  const { ColumnRef, TypeCast } = fieldsOf(node)
  if (TypeCast) return columnOf(field(TypeCast, 'arg'))
  if (!ColumnRef) return null
  const names = list(field(ColumnRef, 'fields')).map(name => {
    const { String: text } = fieldsOf(name)
    return text ? String(field(text, 'sval')) : '*'
  })
  return { relation: names.at(-2) ?? null, column: names.at(-1) ?? '' }
}

function isClient(column: Column | null): boolean {
  return column?.column === 'client_id' || column?.column === 'clientId'
}

/** Relation of a column; null if ambiguous or unknown. */
function resolve(column: Column | null, scope: Scope | null): Relation | null {
  if (!column || !scope) return null
  const named = column.relation === null ? undefined : scope.relations.get(column.relation)
  if (named) return named
  if (column.relation !== null) return resolve(column, scope.outer)
  const relations = [...scope.relations.values()]
  const having = relations.find(({ columns }) => columns?.has(column.column))
  const unknown = relations.filter(({ columns }) => columns === null)
  return having ?? (unknown.length === 1 ? (unknown[0] ?? null) : resolve(column, scope.outer))
}

function isEquality({ kind, name }: Fields): boolean {
  const [operator] = namesIn(name)
  return operator === '=' && ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_NOT_DISTINCT'].includes(String(kind))
}

function rowOf(node: unknown): readonly unknown[] {
  const { RowExpr } = fieldsOf(node)
  return RowExpr ? list(field(RowExpr, 'args')) : [node]
}

type Fields = Record<string, unknown>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function field(value: unknown, name: string): unknown {
  return fieldsOf(value)[name]
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function namesIn(value: unknown): Set<string> {
  return new Set(list(value).map(name => String(field(field(name, 'String'), 'sval'))))
}
