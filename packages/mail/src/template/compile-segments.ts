import { mailFault, type MailFault } from '../mail-fault.ts'
import { Context, IfTag, type Template, TypeGuards, UnlessTag } from 'liquidjs'
import { type MergeData, joinSegments, mergeConstants, type Segment, type Segments } from '../segments.ts'
import { compileCondition } from './compile-condition.ts'
import { compileOutput } from './compile-output.ts'
import { type Engine, maxSlotText } from './liquid-engine.ts'
import { spendWork } from './render-budget.ts'
import { RenderError } from './template-error.ts'
import { templateNames } from './template-names.ts'
import { dateText } from './value-text.ts'
import { continuedLoops, isCycle, loopKey } from './loop-tag.ts'
import { isOutput, walkTemplates } from './walk-templates.ts'

/** Names by which internal templates read the tokens of the message. */
export const tokenName = 'emma_token'
export const pageTokenName = 'emma_page_token'

/**
 * Compiles a parsed template into constants and slots. Plain outputs and conditions become closures that read the
 * data directly (a fraction of a microsecond each); everything else becomes one slot that liquidjs renders from its
 * parsed form. Both give the same result (see compile-segments.test.ts).
 *
 * Slots throw RenderError if a block exceeds its limits, and nothing else.
 */
export function compileSegments(engine: Engine, templates: readonly Template[]): Segments {
  const [first, last] = statefulRange(templates)
  const outputs: Outputs = new Map()
  return mergeConstants([
    ...compileTemplates(engine, templates.slice(0, first), outputs),
    ...(last > first ? [liquidSlot(engine, templates.slice(first, last))] : []),
    ...compileTemplates(engine, templates.slice(last), outputs),
  ])
}

/** Output slots by their source: a repeated one is rendered once per message. */
type Outputs = Map<string, Segment>

/**
 * Variables assigned by the template live from their first assignment to their last use, and so do the positions of
 * `cycle` and of continued loops: that range must be rendered as one. Without state the range is empty, at the end.
 */
function statefulRange(templates: readonly Template[]): [first: number, last: number] {
  const { locals } = templateNames(templates)
  const all = [...walkTemplates(templates)]
  const continued = continuedLoops(all)
  const moves = (one: Template) => isCycle(one) || continued.has(loopKey(one))
  if (locals.size === 0 && !all.some(moves)) return [templates.length, templates.length]
  const used = templates.map(template => {
    const names = templateNames([template])
    const roots = new Set(names.globals.flatMap(({ path: [root] }) => root ?? []))
    return { sets: names.locals.size > 0 || walkTemplates([template]).some(moves), reads: roots }
  })
  const first = used.findIndex(({ sets }) => sets)
  const last = used.findLastIndex(({ sets, reads }) => sets || [...reads].some(name => locals.has(name)))
  return [first, last + 1]
}

function compileTemplates(engine: Engine, templates: readonly Template[], outputs: Outputs): Segment[] {
  return templates.map(template => compileTemplate(engine, template, outputs))
}

function compileTemplate(engine: Engine, template: Template, outputs: Outputs): Segment {
  if (TypeGuards.isHTMLToken(template.token)) return template.token.getContent()
  if (isOutput(template)) {
    const text = template.token.getText()
    const slot = outputs.get(text) ?? compileOutput(engine, template) ?? liquidSlot(engine, [template])
    outputs.set(text, slot)
    return slot
  }
  if (TypeGuards.isTagToken(template.token) && constantTags.has(template.token.name))
    return renderConstant(engine, template)
  return compileBranches(engine, template, outputs) ?? liquidSlot(engine, [template])
}

const constantTags = new Set(['raw', 'comment', '#'])

function renderConstant(engine: Engine, template: Template): string {
  const text: unknown = engine.liquid.renderSync([template], {})
  return typeof text === 'string' ? text : ''
}

/** Compiles `{% if %}` and `{% unless %}` if their conditions can be compiled; null for everything else. */
function compileBranches(engine: Engine, template: Template, outputs: Outputs): Segment | null {
  const isUnless = template instanceof UnlessTag
  if (!isUnless && !(template instanceof IfTag)) return null
  const branches: { holds: (data: MergeData) => boolean; content: Segments }[] = []
  for (const [index, branch] of template.branches.entries()) {
    const condition = compileCondition(engine, branch.value)
    if (!condition) return null
    const holds = isUnless && index === 0 ? (data: MergeData) => !condition(data) : condition
    branches.push({ holds, content: mergeConstants(compileTemplates(engine, branch.templates, outputs)) })
  }
  const otherwise = mergeConstants(compileTemplates(engine, template.elseTemplates ?? [], outputs))
  return data => {
    for (const { holds, content } of branches) if (holds(data)) return joinSegments(content, data)
    return joinSegments(otherwise, data)
  }
}

/** A range of templates that liquidjs renders. */
function liquidSlot(engine: Engine, templates: readonly Template[]): Segment {
  const parsed = [...templates]
  return data => {
    const text = renderLiquid(engine, parsed, data)
    if (text.length > maxSlotText) throw new RenderError(mailFault('content.loop_mail_long'))
    return engine.finish(text)
  }
}

function renderLiquid(engine: Engine, templates: Template[], data: MergeData): string {
  try {
    const context = new Context(scopeOf(data, engine), engine.liquid.options, {}, { liquid: engine.liquid })
    countWork(context)
    const text: unknown = engine.liquid.renderSync(templates, context)
    return typeof text === 'string' ? text : ''
  } catch (error) {
    throw new RenderError(explainFailure(error), { cause: error })
  }
}

/** Charges the work that liquidjs counts to the budget of the whole render too. */
function countWork({ memoryLimit }: Context): void {
  const use = memoryLimit.use.bind(memoryLimit)
  memoryLimit.use = count => {
    use(count)
    spendWork(count)
  }
}

/** A scope without a prototype, so that `constructor` and similar names are undefined. */
function scopeOf(data: MergeData, { brand }: Engine): object {
  return Object.assign(Object.create(null), {
    member: withDateTexts(data.member),
    campaign: withDateTexts(data.campaign),
    client: withDateTexts(data.client),
    brand,
    data: data.data && withDateTexts(data.data),
    [tokenName]: data.token,
    [pageTokenName]: data.pageToken,
  })
}

/** Dates are strings in templates, in liquidjs as in compiled slots. */
function withDateTexts(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record)
  if (!entries.some(([, value]) => value instanceof Date)) return record
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Date ? dateText(value) : value]),
  )
}

function explainFailure(error: unknown): MailFault {
  const message = error instanceof Error ? error.message : ''
  if (
    /memory alloc limit|template render limit|too much time or memory|too long|Invalid string length/.test(
      message,
    )
  ) {
    return mailFault('content.loop_costly')
  }
  return mailFault('content.loop_failed')
}
