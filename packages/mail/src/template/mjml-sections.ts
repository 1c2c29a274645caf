import { createHash } from 'node:crypto'
import type { FoundElement } from '../edit/found-element.ts'
import { findComponents } from '../edit/parse-mjml.ts'
import { joinWords, splitAtWords, takeWords } from './numbered-words.ts'
import { type Finding, type MjmlOutput, runMjml } from './run-mjml.ts'
import type { SectionCache } from './section-cache.ts'
import {
  fontUse,
  type FreshSection,
  type Section,
  sectionAttribute,
  sectionComponents,
  sectionMarks,
  sectionNames,
  type SectionRun,
} from './section-components.ts'

/**
 * Runs MJML on the sections of a source that are not in the cache, and inserts those that are: the result is that of
 * `runMjml`, byte for byte. MJML renders the children of mj-body one by one; they share only the head, the attributes of
 * mj-body, and what they add to the head.
 * @returns null if that is not certain; then the whole source must be converted
 */
export async function runMjmlSections(mjml: string, cache: SectionCache): Promise<MjmlOutput | null> {
  const body = mjml.includes(sectionAttribute) ? null : findBody(mjml)
  const found = body ? findSections(mjml, body) : []
  if (!body || found.length === 0) return null
  const isInsertedLast = !hasConditionalComments(mjml, body, found)
  const sections = found.map(section => withCached(section, isInsertedLast, cache))
  const run: SectionRun = { sections, isInsertedLast, hasFault: false, fonts: [] }
  const made = await runMjml(withoutCached(mjml, sections), await sectionComponents(run))
  if (made instanceof Error || run.hasFault) return null
  const html = run.isInsertedLast ? insertSections(made.html, run) : made.html
  if (html === null) return null
  for (const section of sections) addToCache(section, made.errors, cache)
  return { html, errors: made.errors }
}

interface Body {
  open: FoundElement['open']
  content: { from: number; to: number }
  children: readonly FoundElement[]
}

/** @returns null unless the source is one mjml with one mj-body, both with an end tag */
function findBody(mjml: string): Body | null {
  const elements = findComponents(mjml)
  if ('code' in elements) return null
  const [root] = elements
  const bodies = elements.filter(({ name }) => name === 'mj-body')
  const [found] = bodies
  if (!found?.close || bodies.length !== 1 || root?.name !== 'mjml' || !root.close) return null
  const content = { from: found.open.to, to: found.close.from }
  const children: FoundElement[] = []
  for (const element of elements) {
    const isInside = element.range.from >= content.from && element.range.to <= content.to
    if (isInside && element.range.from >= (children.at(-1)?.range.to ?? 0)) children.push(element)
  }
  return { open: found.open, content, children }
}

interface PlacedSection extends Section {
  key: string
  range: { from: number; to: number }
  /** End of the name in the start tag. */
  nameEnd: number
  lines: { from: number; to: number }
}

/** Components with random ids, which no two of them may share. */
const randomComponents = /<mj-(?:carousel|navbar)\b/i

function findSections(mjml: string, { open, content, children }: Body): PlacedSection[] {
  const around = takeWords(`${mjml.slice(0, open.to)}\n${mjml.slice(content.to)}`)
  if (!around) return []
  const context = createHash('sha256').update(around.text).digest('base64')
  const sections: PlacedSection[] = []
  let line = 1
  let at = 0
  for (const { name, open: tag, close, range } of children) {
    line += lineBreaks(mjml.slice(at, range.from))
    const text = mjml.slice(range.from, range.to)
    const lines = { from: line, to: line + lineBreaks(text) }
    const taken =
      sectionNames.has(name) && close && !randomComponents.test(text) ? takeWords(text, around.words) : null
    if (taken) {
      const isFirst = mjml.slice(content.from, range.from).trim() === ''
      const key = `${context} ${isFirst} ${taken.text}`
      const nameEnd = tag.from + 1 + name.length
      sections.push({
        name,
        isFirst,
        key,
        words: taken.words,
        nameEnd,
        range,
        lines,
        cached: null,
        fresh: null,
      })
    }
    line = lines.to
    at = range.to
  }
  return sections
}

function lineBreaks(text: string): number {
  return text.split('\n').length - 1
}

/** HTML that is inserted last has MJML's last steps behind it. */
function withCached(section: PlacedSection, isInsertedLast: boolean, cache: SectionCache): PlacedSection {
  const key = `${isInsertedLast} ${section.key}`
  return { ...section, key, cached: cache.get(key) ?? null }
}

/** Conditional comments between sections can be around several of them. */
function hasConditionalComments(
  mjml: string,
  { content }: Body,
  sections: readonly PlacedSection[],
): boolean {
  let at = content.from
  for (const { from, to } of [...sections.map(({ range }) => range), { from: content.to, to: content.to }]) {
    if (/\[(?:if|endif)/i.test(mjml.slice(at, from))) return true
    at = to
  }
  return false
}

/** Line breaks stay: everything has its line number. */
function withoutCached(mjml: string, sections: readonly PlacedSection[]): string {
  let text = ''
  let at = 0
  for (const [index, { name, nameEnd, range, cached, lines }] of sections.entries()) {
    const attribute = ` ${sectionAttribute}="${index}"`
    text += mjml.slice(at, cached ? range.from : nameEnd)
    text += cached ? `<${name}${attribute}>${'\n'.repeat(lines.to - lines.from)}</${name}>` : attribute
    at = cached ? range.to : nameEnd
  }
  return text + mjml.slice(at)
}

/**
 * Replaces the sections of the cache, and takes the others out of MJML's HTML.
 * @returns null if a section has a conditional comment without an end, which others can be in
 */
function insertSections(html: string, { sections, fonts }: SectionRun): string | null {
  const parts: string[] = []
  let at = 0
  for (const [index, section] of sections.entries()) {
    const { begin, end } = sectionMarks(index)
    const from = html.indexOf(begin, at)
    const to = html.indexOf(end, from)
    if (from === -1 || to === -1) return null
    const rendered = html.slice(from + begin.length, to)
    if (!section.cached && isOpen(rendered)) return null
    if (section.fresh) section.fresh = withFonts({ ...section.fresh, html: rendered }, fonts)
    parts.push(
      html.slice(at, from),
      section.cached ? joinWords(section.cached.html, section.words) : rendered,
    )
    at = to + end.length
  }
  return joinConditionals([...parts, html.slice(at)])
}

/** True unless each begin of a conditional comment is followed by its end. */
function isOpen(html: string): boolean {
  let isInside = false
  for (const { 0: mark } of html.matchAll(/<!--\[if|<!\[endif\]-->/gi)) {
    if (mark.startsWith('<!--') === isInside) return true
    isInside = !isInside
  }
  return isInside
}

/** @returns null for sections whose fonts depend on the text around them */
function withFonts(section: FreshSection, fonts: readonly string[]): FreshSection | null {
  const { html } = section
  const [start, end] = [html.slice(0, html.indexOf('"')), html.slice(html.lastIndexOf('"'))]
  if (/font-family/i.test(start + end)) return null
  const used: string[] = []
  for (const font of fonts) {
    const use = new RegExp(`"[^"]*font-family:[^"]*${font}[^"]*"`, 'mi')
    if (!use.test(fontUse(font)) || new RegExp(`[^"]*${font}`, 'i').test(start)) return null
    if (use.test(html)) used.push(font)
  }
  return { ...section, fonts: used }
}

const endOfConditional = '<![endif]-->'
const startOfConditional = '<!--[if mso | IE]>'

/** Joins parts as MJML does: a conditional comment for Outlook continues the one directly before it. */
function joinConditionals(parts: readonly string[]): string {
  const joined: string[] = []
  for (const part of parts) {
    const start = part.trimStart()
    const last = joined.findLastIndex(one => one.trim() !== '')
    const before = joined[last]?.trimEnd()
    if (!start.startsWith(startOfConditional) || !before?.endsWith(endOfConditional)) {
      joined.push(part)
      continue
    }
    joined.splice(last, joined.length, before.slice(0, -endOfConditional.length))
    joined.push(start.slice(startOfConditional.length))
  }
  return joined.join('')
}

/** A section with findings is converted each time, because MJML must tell them. */
function addToCache(
  { key, words, fresh, lines }: PlacedSection,
  findings: readonly Finding[],
  cache: SectionCache,
): void {
  if (!fresh || findings.some(({ line }) => line >= lines.from && line <= lines.to)) return
  const html = splitAtWords(fresh.html, words)
  if (html) cache.set(key, { ...fresh, html })
}
