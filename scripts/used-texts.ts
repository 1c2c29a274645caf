import { parseSync } from 'oxc-parser'

/** What a source asks of the texts. `*` in a key stands for a word that is known only when the program runs. */
export interface UsedTexts {
  /** Keys given to `t`, or to a function that hands them on to it. */
  asked: Set<string>
  /** Every string of the source, those put together as well: a key may travel as data before it is asked for. */
  strings: Set<string>
}

interface Node {
  type: string
  [property: string]: unknown
}

/** Names of the functions around a place that put a key together: `text('title')` for t(`area.${key}`). */
type Scope = ReadonlyMap<string, readonly string[]>

/** Reads which texts a source uses, with a real parser. */
export function usedTexts(path: string, source: string): UsedTexts {
  const used: UsedTexts = { asked: new Set(), strings: new Set() }
  const imported = new Map<string, string>()

  function visit(value: unknown, scope: Map<string, readonly string[]>): void {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, scope)
      return
    }
    if (!isNode(value)) return
    const inner = opensScope.has(value.type) ? new Map(scope) : scope
    for (const child of read(value, inner)) visit(child, inner)
  }

  /** Takes what a node says itself, and answers what is left to read of it. */
  function read(node: Node, scope: Map<string, readonly string[]>): unknown[] {
    if (node.type === 'ImportSpecifier') imported.set(nameOf(node.local), nameOf(node.imported))
    if (node.type === 'Literal' && typeof node.value === 'string') used.strings.add(node.value)
    if (node.type === 'TemplateLiteral') for (const text of keysOf(node)) used.strings.add(text)
    // Handed on as a value, it may be asked for anything.
    if (node.type === 'Identifier')
      for (const frame of scope.get(nameOf(node)) ?? []) ask(frame.replaceAll(hole, '*'))
    if (node.type === 'VariableDeclarator') {
      const keys = handsOn(node.init, scope)
      if (keys) scope.set(nameOf(node.id), keys)
      if (keys) return []
    }
    if (node.type === 'JSXAttribute' && nameOf(node.name) === 'resource' && isNode(node.value))
      for (const text of listTexts) used.strings.add(`*.${resourceName(node.value.expression)}.${text}`)
    if (node.type === 'JSXAttribute' && nameOf(node.name) === 'texts' && isNode(node.value))
      for (const text of listTexts) used.strings.add(`${String(node.value.value)}.${text}`)
    if (node.type === 'CallExpression') {
      for (const key of askedKeys(node, scope)) ask(key)
      if (isNode(node.callee) && node.callee.type === 'Identifier') return [node.arguments]
    }
    if (node.type === 'MemberExpression' && !node.computed) return [node.object]
    if (node.type === 'Property' && !node.computed) return [node.value]
    return Object.values(node)
  }

  function askedKeys(call: Node, scope: Scope): readonly string[] {
    const [first, , options] = listOf(call.arguments)
    // Handed on inside the shell, it is no resource yet.
    if (takesLabels.some(name => isCallOf(call, name)) && first && nameOf(first) !== 'resource')
      return [`${textsOption(options) ?? `*.${resourceName(first)}`}.fields.*`]
    return keysOfCall(call, scope) ?? []
  }

  function resourceName(node: unknown): string {
    return snakeCase(imported.get(nameOf(node)) ?? nameOf(node))
  }

  function ask(key: string): void {
    // Nothing but unknown words says nothing; a parameter of a function around is asked for where that is called.
    if (/[\w-]/.test(key) && !key.includes(hole)) used.asked.add(key)
  }

  visit(parseSync(path, source).program, new Map())
  return used
}

/** `texts: 'webhooks'` of a form's options. */
function textsOption(options: Node | undefined): string | null {
  const texts = listOf(options?.properties).find(property => nameOf(property.key) === 'texts')
  return isNode(texts?.value) ? String(texts.value.value) : null
}

/** What a `<ResourceList resource={…}>` says of its resource. */
const listTexts = ['new', 'subtitle', 'empty_title', 'empty_text', 'delete_text', 'fields.*']
const takesLabels = ['useFieldLabels', 'useResourceForm']

const opensScope = new Set([
  'Program',
  'BlockStatement',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

/** Stands for the first parameter of a function that hands keys on. */
const hole = '\u0000'

/** The keys of `(key, …) => t(`area.${key}`, …)`, with a hole for the parameter; null for anything else. */
function handsOn(init: unknown, scope: Scope): readonly string[] | null {
  if (!isNode(init) || init.type !== 'ArrowFunctionExpression') return null
  const { body } = init
  if (!isNode(body) || body.type !== 'CallExpression') return null
  const [parameter] = listOf(init.params)
  return keysOfCall(body, scope, parameter ? nameOf(parameter) : undefined)
}

/** The keys a call asks for, null when it is none of `t` and its kin. */
function keysOfCall(call: Node, scope: Scope, parameter?: string): readonly string[] | null {
  const [first] = listOf(call.arguments)
  const given = first ? keysOf(first, parameter) : []
  if (isCallOf(call, 't')) return given
  const frames = isNode(call.callee) ? scope.get(nameOf(call.callee)) : undefined
  return frames?.flatMap(frame => given.map(key => frame.replaceAll(hole, key))) ?? null
}

function isCallOf({ callee }: Node, name: string): boolean {
  if (!isNode(callee)) return false
  return nameOf(callee) === name || (callee.type === 'MemberExpression' && nameOf(callee.property) === name)
}

/** The texts an expression may become. */
function keysOf(node: Node, parameter?: string): string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'Identifier' && parameter !== undefined && nameOf(node) === parameter) return [hole]
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap(each => (isNode(each) ? keysOf(each, parameter) : ['*']))
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return joined([node.left, node.right], parameter)
  if (node.type === 'TemplateLiteral') {
    const expressions = listOf(node.expressions)
    return joined(
      listOf(node.quasis).flatMap((quasi, place) => [quasi, expressions[place]]),
      parameter,
    )
  }
  return ['*']
}

/** Every way the parts can be put together. */
function joined(parts: readonly unknown[], parameter: string | undefined): string[] {
  return parts
    .filter(isNode)
    .map(part => (part.type === 'TemplateElement' ? [cookedOf(part)] : keysOf(part, parameter)))
    .reduce((heads, tails) => heads.flatMap(head => tails.map(tail => head + tail)), [''])
}

function cookedOf({ value }: Node): string {
  const cooked: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'cooked') : ''
  return typeof cooked === 'string' ? cooked : ''
}

/** A resource is imported as `guidedTour` and called `guided_tour`. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : ''
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
