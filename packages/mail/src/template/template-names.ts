import { type Template, type Token, toValueSync, TypeGuards, Value } from 'liquidjs'
import { continues } from './loop-tag.ts'

/** A use of a name in a template. */
export interface NameUse {
  /** `member.firstname` as `['member', 'firstname']`; ends before a computed part. */
  path: string[]
  /** Offset in the parsed text. */
  offset: number
}

export interface TemplateNames {
  /** Names that the data must provide. */
  globals: NameUse[]
  /** Names that the template assigns (`assign`, `capture`). */
  locals: Set<string>
  /** Assigned names that it reads; loop variables are in neither list. */
  localUses: Set<string>
}

/** Returns the names a template reads and assigns. The analysis of liquidjs takes quadratic time. */
export function templateNames(templates: readonly Template[]): TemplateNames {
  const uses: NameUse[] = []
  const locals = new Set<string>()
  collect(templates, [], uses, locals)
  return {
    globals: uses.filter(({ path: [root] }) => root !== undefined && !locals.has(root)),
    locals,
    localUses: new Set(
      uses.flatMap(({ path: [root] }) => (root !== undefined && locals.has(root) ? [root] : [])),
    ),
  }
}

function collect(
  templates: readonly Template[],
  scopes: readonly Set<string>[],
  uses: NameUse[],
  locals: Set<string>,
): void {
  for (const template of templates) {
    const values: Iterable<unknown> = template.arguments?.() ?? []
    for (const value of values) {
      for (const use of usesOf(value)) {
        if (use.path[0] === 'continue' && continues(template)) continue
        if (!scopes.some(scope => scope.has(use.path[0] ?? ''))) uses.push(use)
      }
    }
    for (const name of template.localScope?.() ?? []) locals.add(name.content)
    if (!template.children) continue
    const children: Template[] = toValueSync(template.children(false, true))
    collect(
      children,
      template.blockScope ? [...scopes, new Set(template.blockScope())] : scopes,
      uses,
      locals,
    )
  }
}

function* usesOf(value: unknown): Generator<NameUse> {
  if (value instanceof Value || TypeGuards.isFilteredValueToken(value)) {
    for (const token of value.initial.postfix) yield* usesOf(token)
    for (const { args } of value.filters) {
      for (const arg of args) yield* usesOf(Array.isArray(arg) ? arg[1] : arg)
    }
  } else if (TypeGuards.isRangeToken(value)) {
    yield* usesOf(value.lhs)
    yield* usesOf(value.rhs)
  } else if (TypeGuards.isPropertyAccessToken(value)) {
    yield* usesOfPath(value.props, value.begin)
    yield* usesOf(value.variable)
  }
}

function* usesOfPath(props: readonly Token[], offset: number): Generator<NameUse> {
  const path: string[] = []
  let isPlain = true
  for (const prop of props) {
    if (TypeGuards.isPropertyAccessToken(prop)) yield* usesOf(prop)
    const isName = TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop)
    if (isPlain && isName) path.push(prop.content)
    else isPlain = false
  }
  if (path.length > 0) yield { path, offset }
}
