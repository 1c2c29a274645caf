import {
  evalQuotedToken,
  IfTag,
  type Template,
  type Token,
  TypeGuards,
  UnlessTag,
  type Value,
} from 'liquidjs'
import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import type { BrandValues } from './brand-values.ts'
import { compileSegments } from './compile-segments.ts'
import { hasCountedMark, isCountedMark } from './counted-mark.ts'
import type { Locale } from './format-date.ts'
import { liquidEngine } from './liquid-engine.ts'
import { scanLiquid } from './scan-liquid.ts'
import { templateNames } from './template-names.ts'
import { isComplete, pathOf, walkTemplates } from './walk-templates.ts'

/** The counted sections of a message: a member who is shown none of them gets no mail. */
export interface CountedSections {
  /** Tags of the message, and a character at each mark: rendered without the mail. */
  segments: Segments
  /** The same as a condition on member columns; null if it takes more than conditions (loops, filters, variables). */
  test: ContentTest | null
}

/** A condition on the columns of a member, with the semantics of Liquid. Plain data: part of campaign snapshots. */
export type ContentTest =
  | { all: ContentTest[] }
  | { any: ContentTest[] }
  | { not: ContentTest }
  | { column: string; is: 'truthy' | 'nil' | 'empty' | 'blank' }
  | { column: string; is: Comparison; value: Literal }

const comparisons = ['==', '>', '<', '>=', '<=', 'contains'] as const
type Comparison = (typeof comparisons)[number]
type Literal = string | number | boolean

const shown = '+'

/**
 * Finds the counted sections of a part whose modules are inserted. Sections in a `capture` do not count.
 * @returns null if there are none
 */
export function countedSections(
  source: string,
  locale: Locale,
  brand: BrandValues | undefined,
): CountedSections | null {
  if (!hasCountedMark(source)) return null
  const engine = { ...liquidEngine('text', locale), brand }
  const templates = engine.liquid.parse(tagsOf(source))
  return { segments: compileSegments(engine, templates), test: testOf(templates) }
}

/**
 * Whether a member is shown a counted section.
 * @throws RenderError as the message itself
 */
export function hasContent({ segments }: CountedSections, data: MergeData): boolean {
  return renderSegments(segments, data).includes(shown)
}

/** Tags that write text, or that hold text. */
const dropped = new Set(['raw', 'comment', 'echo', 'cycle', '#'])

function tagsOf(source: string): string {
  let tags = ''
  for (const piece of scanLiquid(source)) {
    if (piece.type !== 'tag') continue
    const text = source.slice(piece.start, piece.end)
    if (isCountedMark(text)) tags += shown
    else if (!dropped.has(piece.name)) tags += text
  }
  return tags
}

/** Conditions of a longer test are left to the delivery, which evaluates them as the mail itself. */
const MAX_TESTS = 200

function testOf(templates: readonly Template[]): ContentTest | null {
  const all = [...walkTemplates(templates)]
  const ends = all.some(
    ({ token }) => TypeGuards.isTagToken(token) && (token.name === 'break' || token.name === 'continue'),
  )
  if (ends || templateNames(templates).locals.size > 0) return null
  const test = anyShown(templates)
  return test && sizeOf(test) <= MAX_TESTS ? test : null
}

function sizeOf(test: ContentTest): number {
  if ('column' in test) return 1
  if ('not' in test) return sizeOf(test.not)
  const parts = 'all' in test ? test.all : test.any
  return parts.reduce((sum, part) => sum + sizeOf(part), 1)
}

/** The condition that one of the marks in a list of templates is reached. */
function anyShown(templates: readonly Template[]): ContentTest | null {
  const any: ContentTest[] = []
  for (const template of templates) {
    if (!holdsMark([template])) continue
    if (TypeGuards.isHTMLToken(template.token)) return { all: [] }
    const test = branchShown(template)
    if (!test) return null
    any.push(test)
  }
  return { any }
}

function holdsMark(templates: readonly Template[]): boolean {
  return walkTemplates(templates).some(
    ({ token }) => TypeGuards.isHTMLToken(token) && token.getContent().includes(shown),
  )
}

function branchShown(template: Template): ContentTest | null {
  const isUnless = template instanceof UnlessTag
  if (!isUnless && !(template instanceof IfTag)) return null
  if (template.branches.length > MAX_BRANCHES) return null
  const any: ContentTest[] = []
  const others: ContentTest[] = []
  for (const [index, branch] of template.branches.entries()) {
    const condition = conditionTest(branch.value)
    const inside = anyShown(branch.templates)
    if (!condition || !inside) return null
    const holds = isUnless && index === 0 ? { not: condition } : condition
    any.push({ all: [...others, holds, inside] })
    others.push({ not: holds })
  }
  const otherwise = anyShown(template.elseTemplates ?? [])
  if (!otherwise) return null
  any.push({ all: [...others, otherwise] })
  return { any }
}

/** The conditions of a branch are repeated in those after it. */
const MAX_BRANCHES = 10

type Operand = { name: string } | { literal: Literal } | { word: 'nil' | 'empty' | 'blank' } | ContentTest

/** A condition of Liquid, or null for what only liquidjs can evaluate. */
function conditionTest(value: Value): ContentTest | null {
  return value.filters.length > 0 || !isComplete(value)
    ? null
    : truthOf(operandOfExpression(value) ?? undefined)
}

function operandOfExpression({ initial: { postfix } }: Pick<Value, 'initial'>): Operand | null {
  if (postfix.length > MAX_TESTS) return null
  const operands: Operand[] = []
  for (const token of postfix) {
    const operand = TypeGuards.isOperatorToken(token) ? operated(token.operator, operands) : operandOf(token)
    if (!operand) return null
    operands.push(operand)
  }
  return operands[0] ?? null
}

function operandOf(token: Token): Operand | null {
  if (TypeGuards.isFilteredValueToken(token))
    return token.filters.length > 0 ? null : operandOfExpression(token)
  if (TypeGuards.isQuotedToken(token)) return { literal: evalQuotedToken(token) }
  if (TypeGuards.isNumberToken(token)) return { literal: token.content }
  if (TypeGuards.isLiteralToken(token)) {
    const { literal } = token
    if (literal === 'true' || literal === 'false') return { literal: literal === 'true' }
    return { word: literal === 'null' ? 'nil' : literal }
  }
  const [root, name, ...deeper] = pathOf(token) ?? []
  const isColumn = root === 'member' && name !== undefined && deeper.length === 0 && !computed.has(name)
  return isColumn ? { name } : null
}

/** Properties that liquidjs computes. */
const computed = new Set(['size', 'first', 'last'])

function operated(operator: string, operands: Operand[]): ContentTest | null {
  const right = operands.pop()
  if (operator === 'not') {
    const test = truthOf(right)
    return test && { not: test }
  }
  const left = operands.pop()
  if (!left || !right) return null
  if (operator === 'and' || operator === 'or') {
    const tests = [truthOf(left), truthOf(right)].filter(test => test !== null)
    if (tests.length < 2) return null
    return operator === 'and' ? { all: tests } : { any: tests }
  }
  if (!('name' in left)) return null
  if (operator === '!=') {
    const test = compared(left.name, '==', right)
    return test && { not: test }
  }
  const comparison = comparisons.find(one => one === operator)
  return comparison ? compared(left.name, comparison, right) : null
}

function compared(column: string, is: Comparison, right: Operand): ContentTest | null {
  if ('word' in right) return is === '==' ? { column, is: right.word } : null
  return 'literal' in right ? { column, is, value: right.literal } : null
}

function truthOf(operand: Operand | undefined): ContentTest | null {
  if (!operand || 'word' in operand) return null
  if ('name' in operand) return { column: operand.name, is: 'truthy' }
  if ('literal' in operand) return operand.literal === false ? { any: [] } : { all: [] }
  return operand
}
