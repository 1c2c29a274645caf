import {
  type FilteredValueToken,
  Output,
  type Template,
  type Token,
  toValueSync,
  TypeGuards,
  Value,
} from 'liquidjs'

/** Yields all templates of a parsed source in order, including those inside conditions and loops. */
export function* walkTemplates(templates: readonly Template[]): Generator<Template> {
  for (const template of templates) {
    yield template
    const children: Template[] = template.children ? toValueSync(template.children(false, true)) : []
    yield* walkTemplates(children)
  }
}

/** Yields all values of a parsed source: outputs, operands of conditions, collections of loops. */
export function* walkValues(templates: readonly Template[]): Generator<{ template: Template; value: Value }> {
  for (const template of walkTemplates(templates)) {
    const values: Iterable<unknown> = template.arguments ? template.arguments() : []
    for (const value of values) if (value instanceof Value) yield { template, value }
  }
}

/** Returns the path of an output that is one plain path such as `member.firstname`, or null. */
export function plainPath(value: Value): readonly string[] | null {
  const [token] = value.initial.postfix
  if (value.initial.postfix.length !== 1 || !token) return null
  return pathOf(token)
}

/** Returns the names of a property access without computed parts, or null. */
export function pathOf(token: Token): readonly string[] | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable) return null
  const path: string[] = []
  for (const prop of token.props) {
    if (TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop)) path.push(prop.content)
    else return null
  }
  return path
}

/**
 * True if the source of a value is exactly one value, and so is each of its groups in brackets: liquidjs accepts
 * `{{ a b }}` and `{% if a > %}`.
 */
export function isComplete(value: Pick<Value, 'initial'>): boolean {
  let operands = 0
  for (const token of value.initial.postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      if (TypeGuards.isFilteredValueToken(token) && !isComplete(token)) return false
      operands++
      continue
    }
    const needed = token.operator === 'not' ? 1 : 2
    if (operands < needed) return false
    operands -= needed - 1
  }
  return operands === 1
}

/** Yields the groups in brackets among the operands of a value, nested ones too. */
export function* groupsOf({ initial }: Pick<Value, 'initial'>): Generator<FilteredValueToken> {
  for (const token of initial.postfix) {
    if (!TypeGuards.isFilteredValueToken(token)) continue
    yield token
    yield* groupsOf(token)
  }
}

export function isOutput(template: Template): template is Output {
  return template instanceof Output
}
