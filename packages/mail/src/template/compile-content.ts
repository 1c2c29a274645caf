import { mailFault } from '../mail-fault.ts'
import { ParseError } from 'liquidjs'
import type { LinkRow } from '../links/link-table.ts'
import type { Segments } from '../segments.ts'
import { trackingBase } from '../tracking-urls.ts'
import { assembleMail } from './assemble-mail.ts'
import { checkContent } from './check-content.ts'
import type { ShownValue } from './check-variables.ts'
import { compileSegments } from './compile-segments.ts'
import type { CompileOptions } from './compile-options.ts'
import type { ContentSource } from './content-source.ts'
import type { BrandValues } from './brand-values.ts'
import type { CountedSections } from './counted-sections.ts'
import { withDarkRules } from './dark-rules.ts'
import { type Draft, draftCounted, draftMail } from './draft-mail.ts'
import type { Locale } from './format-date.ts'
import { inlineCss } from './inline-css.ts'
import { liquidEngine } from './liquid-engine.ts'
import { systemLinks } from './system-links.ts'
import { kindOf } from './parse-part.ts'
import { scanLiquid } from './scan-liquid.ts'
import { ContentError, type Part, TemplateError, type Warning } from './template-error.ts'
import { type NameUse, templateNames } from './template-names.ts'
import { isTextTooDeep, textFromHtml } from './text-from-html.ts'

/** A message compiled once per campaign; immutable and shared by all recipients. */
export interface CompiledContent {
  subject: Segments
  /** Empty for text-only messages. */
  html: Segments
  text: Segments
  /** Member columns that the message reads; null if unknown (any of them). */
  memberNames: readonly string[] | null
  counted: CountedSections | null
  links: LinkRow[]
  warnings: Warning[]
  /** Displayed values, for "is empty for this recipient" in previews. */
  shown: readonly ShownValue[]
}

/**
 * A message that is complete but for its recipients' data: its parts are Liquid. Plain data, which a thread can return;
 * `finishContent` makes the compiled message of it.
 */
export interface AssembledContent extends Pick<CompiledContent, 'links' | 'warnings' | 'shown'> {
  subject: string
  html: string
  text: string
  hasOwnText: boolean
  hasCounted: boolean
}

/**
 * Compiles a message: checks Liquid (and the specification's syntax for it), converts MJML to HTML, inserts modules,
 * inlines styles, numbers and tracks links, adds preheader, charset and pixel, generates the text if it is empty, and
 * splits every part into constants and slots.
 * @throws ContentError with all faults (part, line, column, text) if the content cannot be compiled
 * @throws TypeError if the tracking base is not a web URL
 */
export async function compileContent(
  source: ContentSource,
  options: CompileOptions = {},
): Promise<CompiledContent> {
  const { assembled, segments, memberNames, counted } = await assemble(source, options)
  const { links, warnings, shown } = assembled
  return { ...segments, memberNames, counted, links, warnings, shown }
}

/** Compiles a message as `compileContent` does, with the same faults, but for the last step. */
export async function assembleContent(
  source: ContentSource,
  options: CompileOptions = {},
): Promise<AssembledContent> {
  return (await assemble(source, options)).assembled
}

/** The compiled message of what `assembleContent` returned for the same source; a small part of the work. */
export function finishContent(
  source: ContentSource,
  { links, warnings, shown, ...parts }: AssembledContent,
): CompiledContent {
  const { segments, memberNames } = compileParts(parts, localeOf(source), source.brand)
  const counted = parts.hasCounted ? countedOf(source) : null
  return { ...segments, memberNames, counted, links, warnings, shown }
}

async function assemble(source: ContentSource, options: CompileOptions) {
  const base = trackingBase(source.trackingBase)
  const locale = localeOf(source)
  const draft = await draftMail(source, locale, options)
  const styled = draft.isMjml ? draft.html : inlineCss(draft.html)
  const plain = draft.hasOwnText ? draft.text : generateText(styled)
  const mail = assembleMail({
    html: withDarkRules(styled),
    text: plain,
    preheader: draft.preheader,
    preheaderLength: source.preheader.length,
    trackingBase: base,
    isTracked: source.isTracked,
    links: source.links ?? [],
    personal: source.modules.flatMap(({ name, isPersonal }) => (isPersonal ? [name] : [])),
    sharedLinks: source.sharedLinks ?? [],
  })
  const { subject, counted, hasOwnText, shown } = draft
  const parts = { subject, html: mail.html, text: mail.text, hasOwnText }
  const { segments, memberNames } = compileParts(parts, locale, source.brand)
  const warnings = options.isUnchecked
    ? []
    : [...draft.warnings, ...checkContent(wholeMail(source, draft, styled, segments))]
  const assembled: AssembledContent = {
    ...parts,
    hasCounted: counted !== null,
    links: mail.links,
    warnings,
    shown,
  }
  return { assembled, segments, memberNames, counted }
}

function compileParts(
  { subject, html, text, hasOwnText }: Pick<AssembledContent, 'subject' | 'html' | 'text' | 'hasOwnText'>,
  locale: Locale,
  brand: BrandValues | undefined,
) {
  const compileText = hasOwnText ? compilePart : compileGenerated
  const parts = {
    subject: compilePart('subject', subject, locale, brand),
    html: compilePart('html', html, locale, brand),
    text: compileText('text', text, locale, brand),
  }
  return {
    segments: {
      subject: parts.subject.segments,
      html: parts.html.segments,
      text: parts.text.segments,
    },
    memberNames: namesOf([...parts.subject.globals, ...parts.html.globals, ...parts.text.globals]),
  }
}

/** The counted sections of a message, without compiling it; null if there are none. */
export function countedOf(source: ContentSource): CountedSections | null {
  return draftCounted(source, localeOf(source))
}

function compilePart(
  part: Part,
  text: string,
  locale: Locale,
  brand: BrandValues | undefined,
): { segments: Segments; globals: NameUse[] } {
  if (text === '') return { segments: [], globals: [] }
  const engine = { ...liquidEngine(kindOf[part], locale), brand }
  const templates = engine.liquid.parse(text)
  return { segments: compileSegments(engine, templates), globals: templateNames(templates).globals }
}

function generateText(html: string): string {
  if (!isTextTooDeep(html)) return textFromHtml(html)
  const fault = mailFault('content.text_unclosed')
  throw new ContentError([new TemplateError('text', 1, 1, fault)])
}

/**
 * Liquid that opens in visible content and closes in invisible content (a hidden element, an attribute) cannot be
 * converted to text.
 */
function compileGenerated(...part: Parameters<typeof compilePart>): ReturnType<typeof compilePart> {
  try {
    return compilePart(...part)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const fault = mailFault('content.text_not_made')
    throw new ContentError([new TemplateError('text', 1, 1, fault)])
  }
}

/** Member columns that are read, or null if that depends on the data. */
function namesOf(uses: readonly NameUse[]): readonly string[] | null {
  const names = new Set<string>()
  for (const { path } of uses) {
    const [root, name] = path
    if (root !== 'member') continue
    if (name === undefined) return null
    names.add(name)
  }
  return [...names]
}

function wholeMail(
  source: ContentSource,
  draft: Draft,
  html: string,
  compiled: Record<'html' | 'text', Segments>,
) {
  return {
    subject: draft.subject,
    hasHtml: html.trim() !== '',
    hasOwnText: draft.hasOwnText,
    html: { segments: compiled.html, ownLinks: systemLinks(scanLiquid(html)), source: html },
    text: { segments: compiled.text, ownLinks: systemLinks(scanLiquid(draft.text)), source: draft.text },
    modules: source.modules,
    usedModules: draft.usedModules,
    charset: source.charset ?? 'utf-8',
    ...(source.attachments && { attachments: source.attachments }),
    ...(source.images && { images: source.images }),
    edited: source.mjml || source.html,
    showsBrandImprint: [source.mjml || source.html, source.text].some(one => /\bbrand\.imprint\b/.test(one)),
  }
}

/** An unknown language or time zone (a typo in a setting) must not block a campaign. */
function localeOf({ language = 'en', timeZone = 'UTC' }: ContentSource): Locale {
  return {
    language: accepted(language, 'en', value => new Intl.DateTimeFormat(value)),
    timeZone: accepted(timeZone, 'UTC', value => new Intl.DateTimeFormat('en', { timeZone: value })),
  }
}

function accepted(value: string, instead: string, probe: (value: string) => unknown): string {
  try {
    probe(value)
    return value
  } catch (error) {
    if (error instanceof RangeError) return instead
    throw error
  }
}
