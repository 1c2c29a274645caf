import { mailFault, type MailFault } from '../mail-fault.ts'
import { lintTree } from '../edit/lint-tree.ts'
import { parseTemplate } from '../edit/parse-template.ts'
import type { TemplateFormat } from '../edit/template-tree.ts'
import { checkHtml, type HtmlFinding } from './check-html.ts'
import { findUnknownNames, type ShownValue, shownValues } from './check-variables.ts'
import type { CompileOptions } from './compile-options.ts'
import type { ContentSource } from './content-source.ts'
import { type CountedSections, countedSections } from './counted-sections.ts'
import { type Constants, expandConstants } from './expand-constants.ts'
import type { Locale } from './format-date.ts'
import { type Engine, liquidEngine } from './liquid-engine.ts'
import { mjmlToHtml } from './mjml.ts'
import { moduleData } from './module-data.ts'
import { type Expansion, expandMjmlModules, expandModules } from './modules.ts'
import { errorAt, kindOf, type ParsedPart, parsePart } from './parse-part.ts'
import { scanLiquid } from './scan-liquid.ts'
import { buildText, originOf } from './source-map.ts'
import {
  ContentError,
  type Part,
  placeOf,
  type TemplateError,
  type Warning,
  type WarningCode,
  warningOf,
} from './template-error.ts'
import { findUnclosed } from './unclosed-components.ts'
import { findUnescaped } from './unescaped-values.ts'
import { cleanLine, escapeHtml } from './value-text.ts'
import { withoutBraces } from './without-braces.ts'

/**
 * A message whose parts are checked and complete (modules inserted), before inlining styles, tracking and splitting.
 */
export interface Draft {
  subject: string
  /** As HTML. */
  preheader: string
  html: string
  text: string
  isMjml: boolean
  hasOwnText: boolean
  usedModules: ReadonlySet<string>
  counted: CountedSections | null
  shown: readonly ShownValue[]
  warnings: readonly Warning[]
}

/**
 * Checks all parts, inserts the modules and converts MJML.
 * @throws ContentError with the faults of all parts
 */
export async function draftMail(
  source: ContentSource,
  locale: Locale,
  options: CompileOptions = {},
): Promise<Draft> {
  const { isMjml, sources, constants, draft } = partsOf(source, locale)
  const subject = draft('subject')
  const preheader = draft('preheader')
  const written = draft('html')
  const html = isMjml
    ? await convertMjml(sources.html, written, source.modules, constants, locale, options)
    : checkedHtml(sources.html, written)
  const text = draft('text')
  const all = [subject, preheader, html, text]
  const errors = all.flatMap(part => part.errors)
  if (errors.length > 0) throw new ContentError(errors)
  return {
    subject: cleanConstants(subject.text),
    preheader: preheader.text,
    html: html.text,
    text: text.text,
    isMjml,
    hasOwnText: sources.text !== '',
    usedModules: new Set(all.flatMap(part => [...part.used])),
    counted: countedSections(written.text || text.text, locale, source.brand),
    shown: all.flatMap(part => part.shown),
    warnings: all.flatMap(part => part.warnings),
  }
}

/**
 * Finds the counted sections of a message without converting MJML.
 * @returns null if there are none, or the message has faults
 */
export function draftCounted(source: ContentSource, locale: Locale): CountedSections | null {
  const { draft } = partsOf(source, locale)
  return countedSections(draft('html').text || draft('text').text, locale, source.brand)
}

function partsOf(source: ContentSource, locale: Locale) {
  const isMjml = (source.mjml ?? '').trim() !== ''
  const sources: Record<Part, string> = {
    subject: source.subject,
    preheader: source.preheader.trim(),
    html: isMjml ? (source.mjml ?? '') : source.html,
    text: source.text.trim() === '' ? '' : source.text,
  }
  const constants = constantsOf(source)
  const draft = (part: Part) =>
    draftPart(part, sources[part], { ...source, constants }, locale, isMjml && part === 'html')
  return { isMjml, sources, constants, draft }
}

function constantsOf({ brand, modules }: Pick<ContentSource, 'brand' | 'modules'>): Constants {
  const shared = modules.filter(({ isPersonal }) => !isPersonal)
  const data = Object.entries(moduleData(shared)).map(([name, value]) => [name, withoutBraces(value)])
  return { brand, data: Object.fromEntries(data) }
}

interface PartDraft {
  /** With modules inserted. */
  text: string
  /** Without modules; missing if the part is empty or invalid. */
  parsed?: ParsedPart
  errors: readonly TemplateError[]
  warnings: readonly Warning[]
  used: ReadonlySet<string>
  shown: readonly ShownValue[]
  /** Maps an offset in `text` to the offset in the source. */
  origin: (offset: number) => number
}

const nothing: PartDraft = { text: '', errors: [], warnings: [], used: new Set(), shown: [], origin: () => 0 }

function draftPart(
  part: Part,
  source: string,
  { modules, known, constants }: Pick<ContentSource, 'modules' | 'known'> & { constants: Constants },
  locale: Locale,
  isMjml: boolean,
): PartDraft {
  if (source === '') return nothing
  const written = parsePart(part, source)
  if (!('pieces' in written)) return { ...nothing, errors: written }
  const engine = liquidEngine(kindOf[part], locale)
  const parsed = expandConstants(written, constants, engine)
  const ready = part === 'preheader' ? escapeConstants(parsed) : parsed
  const expansion = withConstants(
    expandModules(part, source, ready, modules, locale.language, isMjml),
    constants,
    engine,
  )
  if (expansion.errors.length > 0) return { ...nothing, errors: expansion.errors }
  const templates = engine.liquid.parse(expansion.text)
  const origin = (offset: number) => originOf(ready.marks, originOf(expansion.marks, offset))
  const warn = (code: WarningCode, offset: number, fault: MailFault): Warning => ({
    code,
    severity: 'warning',
    part,
    ...warningOf(fault),
    ...placeOf(source, origin(offset)),
  })
  return {
    text: expansion.text,
    parsed,
    errors: [],
    warnings: [
      ...findUnknownNames(templates, { ...known, brand: Object.keys(constants.brand ?? {}) }).map(one =>
        warn('unknown-placeholder', one.offset, one.fault),
      ),
      ...findUnescaped(templates).map(one =>
        warn('unescaped-value', one.offset, mailFault('content.unescaped', { path: one.path })),
      ),
    ],
    used: expansion.used,
    shown: shownValues(templates),
    origin,
  }
}

/** Bodies of modules read constants too. */
function withConstants(expansion: Expansion, constants: Constants, engine: Engine): Expansion {
  return expandConstants({ ...expansion, pieces: scanLiquid(expansion.text) }, constants, engine)
}

function checkedHtml(source: string, draft: PartDraft): PartDraft {
  if (draft.text === '') return draft
  const findings = checkHtml(draft.text, scanLiquid(draft.text))
  return {
    ...draft,
    errors: fatalFindings(findings).map(one => errorAt('html', source, draft.origin(one.offset), one.fault)),
    warnings: [
      ...draft.warnings,
      ...findingWarnings(findings, offset => placeOf(source, draft.origin(offset))),
      ...sourceWarnings(source, 'html'),
    ],
  }
}

/** Faults in generated HTML have no position in the MJML. */
async function convertMjml(
  source: string,
  draft: PartDraft,
  modules: ContentSource['modules'],
  constants: Constants,
  locale: Locale,
  { sections, isUnchecked = false }: CompileOptions,
): Promise<PartDraft> {
  if (!draft.parsed) return draft
  const unclosed = findUnclosed(source, draft.parsed)
  if (unclosed.length > 0) return { ...draft, errors: unclosed }
  const engine = liquidEngine('html', locale)
  const whole = expandMjmlModules(source, draft.parsed, modules, locale.language)
  const made = await mjmlToHtml(source, expandConstants(whole.parsed, constants, engine), sections)
  if (made.errors.length > 0) return { ...draft, errors: made.errors }
  const [lost] = whole.used
  if (lost !== undefined && /<mj-[a-z]/i.test(made.html))
    return {
      ...draft,
      errors: [errorAt('html', source, 0, mailFault('content.module_mjml', { name: lost }))],
    }
  const generated = { text: made.html, marks: [], pieces: scanLiquid(made.html) }
  const expansion = expandModules('html', source, generated, modules, locale.language)
  const { text, errors } = withConstants(expansion, constants, engine)
  if (isUnchecked) return { ...draft, text, errors }
  const findings = checkHtml(text, scanLiquid(text))
  return {
    ...draft,
    text,
    errors: [...errors, ...fatalFindings(findings).map(one => errorAt('html', source, 0, one.fault))],
    warnings: [
      ...draft.warnings,
      ...made.warnings,
      ...findingWarnings(findings, () => ({})),
      ...sourceWarnings(source, 'mjml'),
    ],
  }
}

/** What only the source tells: MJML writes an empty alternative text by itself. */
function sourceWarnings(source: string, format: TemplateFormat): Warning[] {
  const tree = parseTemplate(source, { format })
  if (tree.type === 'code') return []
  return lintTree(tree)
    .filter(({ code }) => ofSource[format].includes(code))
    .map(({ code, fault, node }) => ({
      code,
      severity: 'warning',
      part: 'html',
      ...warningOf(fault),
      ...placeOf(source, node.range.from),
    }))
}

const ofSource: Record<TemplateFormat, readonly WarningCode[]> = {
  html: ['heading-order', 'low-contrast', 'unsupported-css'],
  mjml: ['image-without-alt', 'heading-order', 'low-contrast', 'unsupported-css'],
}

function fatalFindings(findings: readonly HtmlFinding[]): HtmlFinding[] {
  return findings.filter(one => one.severity === 'fatal')
}

function findingWarnings(
  findings: readonly HtmlFinding[],
  place: (offset: number) => { line?: number; column?: number },
): Warning[] {
  return findings
    .filter(one => one.severity === 'warning')
    .map(({ code, fault, offset }) => ({
      code,
      severity: 'warning',
      part: 'html',
      ...warningOf(fault),
      ...place(offset),
    }))
}

/** A preheader is written as text and inserted into HTML. */
function escapeConstants(parsed: ParsedPart): ParsedPart {
  const built = buildText()
  for (const { type, start, end } of parsed.pieces) {
    const original = parsed.text.slice(start, end)
    built.put(type === 'text' ? escapeHtml(original) : original, originOf(parsed.marks, start))
  }
  const escaped = built.done()
  return { ...parsed, ...escaped, pieces: scanLiquid(escaped.text) }
}

/** A line break in a subject would begin a new header field. */
function cleanConstants(subject: string): string {
  return scanLiquid(subject)
    .map(({ type, start, end }) =>
      type === 'text' ? cleanLine(subject.slice(start, end)) : subject.slice(start, end),
    )
    .join('')
    .trim()
}
