/** A condition of Liquid: the part of the language that rules are written in. */
export type Expression =
  | { all: Expression[] }
  | { any: Expression[] }
  | { not: Expression }
  | { left: Operand; operator: Comparison; right: Operand }

/** A column (`member.city`) or a constant, and the filters applied to it. */
export interface Operand {
  value: { column: string } | { constant: string | number | boolean | null }
  filters: readonly LiquidFilter[]
}

export interface LiquidFilter {
  name: string
  argument: string | number | null
}

const comparisons = ['==', '!=', '<=', '>=', '<', '>', 'contains'] as const
export type Comparison = (typeof comparisons)[number]

/** Limits of a condition that is read: its length in UTF-16 units, and the nesting of its brackets. */
const limits = { length: 20_000, depth: 40 } as const

/**
 * Writes a condition, as text between `{% if` and `%}`. Characters that end a tag, or that HTML, MJML or EMMA's
 * spelling rules would change, are written as `\uXXXX`.
 */
export function printExpression(expression: Expression): string {
  if ('left' in expression) {
    const { left, operator, right } = expression
    return `${printOperand(left)} ${operator} ${printOperand(right)}`
  }
  if ('not' in expression) return `not ${printGroup(expression.not)}`
  const isAll = 'all' in expression
  return (isAll ? expression.all : expression.any)
    .map(part => ('all' in part || 'any' in part ? printGroup(part) : printExpression(part)))
    .join(isAll ? ' and ' : ' or ')
}

/** liquidjs takes no `not` directly after a bracket. */
function printGroup(expression: Expression): string {
  const text = printExpression(expression)
  if (!text.startsWith('not ')) return `(${text})`
  return 'any' in expression ? `(false or ${text})` : `(true and ${text})`
}

function printOperand({ value, filters }: Operand): string {
  const text = 'column' in value ? `member.${value.column}` : printConstant(value.constant)
  if (filters.length === 0) return text
  const calls = filters.map(({ name, argument }) =>
    argument === null ? ` | ${name}` : ` | ${name}: ${printConstant(argument)}`,
  )
  return `(${text}${calls.join('')})`
}

function printConstant(constant: string | number | boolean | null): string {
  if (constant === null) return 'nil'
  return typeof constant === 'string' ? quote(constant) : String(constant)
}

function quote(text: string): string {
  const escaped = text.replaceAll(unsafe, character => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
  return `"${escaped}"`
}

/** Quotes and brackets of all kinds, entities, control characters, and code units that are no characters. */
const unsafe =
  // oxlint-disable-next-line no-control-regex -- control characters are escaped, too
  /[\u0000-\u001f"'`\\{}<>&\u007f-\u00a0\u2018-\u201f\u2028\u2029\ud800-\udfff\ue000-\uf8ff]/g

type Token =
  | { type: 'text'; text: string }
  | { type: 'number'; number: number }
  | { type: 'name' | 'sign'; text: string }

/** Reads a condition; null if it is not one of this part of the language. */
export function parseExpression(text: string): Expression | null {
  const tokens = text.length > limits.length ? null : tokenize(text)
  if (!tokens) return null
  const reader = new ExpressionReader(tokens)
  const expression = reader.readChain(0)
  return expression && reader.isAtEnd ? expression : null
}

const tokenPattern =
  /\s*(?:"((?:[^"\\]|\\u[\da-f]{4}|\\[^u0-7])*)"|'([^'\\]*)'|(-?\d{1,15}(?:\.\d{1,15})?)(?![\w.])|([a-z_][\w.]*)|([=!<>]=|[<>()|:]))/iy

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < end) {
    const match = tokenPattern.exec(text)
    if (!match) return null
    const [, double, single, number, name, sign] = match
    if (double !== undefined) tokens.push({ type: 'text', text: unescape(double) })
    else if (single !== undefined) tokens.push({ type: 'text', text: single })
    else if (number !== undefined) tokens.push({ type: 'number', number: Number(number) })
    else if (name !== undefined) tokens.push({ type: 'name', text: name })
    else tokens.push({ type: 'sign', text: sign ?? '' })
  }
  return tokens
}

/** As liquidjs; octal numbers are no tokens. */
function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(.))/gis, (_, code: string | undefined, other = '') =>
    code === undefined ? (controls[other] ?? other) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/** Reads with the precedence of liquidjs: `and` and `or` are equal, and the last one binds first. */
class ExpressionReader {
  private at = 0

  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.at === this.tokens.length
  }

  readChain(depth: number): Expression | null {
    const parts: Expression[] = []
    const words: string[] = []
    this.skipStart()
    for (;;) {
      const part = this.readPart(depth)
      if (!part) return null
      parts.push(part)
      const word = this.take('name', 'and') ?? this.take('name', 'or')
      if (word === null) break
      words.push(word)
    }
    return parts.reduceRight((right, left, index) =>
      words[index] === 'and' ? joined('all', left, right) : joined('any', left, right),
    )
  }

  /** See `printGroup`. */
  private skipStart(): void {
    const start = this.at
    if (this.take('name', 'true') !== null && this.take('name', 'and') !== null) return
    this.at = start
    if (this.take('name', 'false') !== null && this.take('name', 'or') !== null) return
    this.at = start
  }

  private readPart(depth: number): Expression | null {
    if (depth > limits.depth) return null
    if (this.take('name', 'not') !== null) {
      const part = this.readPart(depth + 1)
      return part && negated(part)
    }
    const start = this.at
    if (this.take('sign', '(') !== null) {
      const inside = this.readChain(depth + 1)
      if (inside && this.take('sign', ')') !== null) return inside
      this.at = start
    }
    return this.readComparison()
  }

  private readComparison(): Expression | null {
    const left = this.readOperand()
    const operator = comparisons.find(one => this.take(one === 'contains' ? 'name' : 'sign', one) !== null)
    const right = left && operator ? this.readOperand() : null
    return left && operator && right ? { left, operator, right } : null
  }

  private readOperand(): Operand | null {
    if (this.take('sign', '(') === null) {
      const value = this.readValue()
      return value && { value, filters: [] }
    }
    const value = this.readValue()
    const filters: LiquidFilter[] = []
    while (value && this.take('sign', '|') !== null) {
      const name = this.tokens[this.at++]
      if (name?.type !== 'name') return null
      const argument = this.take('sign', ':') === null ? null : this.readArgument()
      if (argument === undefined) return null
      filters.push({ name: name.text, argument })
    }
    return value && this.take('sign', ')') !== null ? { value, filters } : null
  }

  private readArgument(): string | number | undefined {
    const token = this.tokens[this.at++]
    if (token?.type === 'text') return token.text
    return token?.type === 'number' ? token.number : undefined
  }

  private readValue(): Operand['value'] | null {
    const token = this.tokens[this.at++]
    switch (token?.type) {
      case 'text':
        return { constant: token.text }
      case 'number':
        return { constant: token.number }
      case 'name':
        return valueOfName(token.text)
      default:
        return null
    }
  }

  private take(type: 'name' | 'sign', text: string): string | null {
    const token = this.tokens[this.at]
    if (token?.type !== type || token.text !== text) return null
    this.at++
    return text
  }
}

function valueOfName(name: string): Operand['value'] | null {
  if (name === 'true' || name === 'false') return { constant: name === 'true' }
  if (name === 'nil' || name === 'null') return { constant: null }
  const column = /^member\.(\w+)$/.exec(name)?.[1]
  return column === undefined ? null : { column }
}

/** Joins two conditions; those of the same kind become one list. */
export function joined(kind: 'all' | 'any', ...parts: readonly Expression[]): Expression {
  const flat = parts.flatMap((part): Expression[] => {
    if (kind === 'all' && 'all' in part) return part.all
    return kind === 'any' && 'any' in part ? part.any : [part]
  })
  return kind === 'all' ? { all: flat } : { any: flat }
}

/** The opposite of a condition. */
export function negated(expression: Expression): Expression {
  return 'not' in expression ? expression.not : { not: expression }
}
