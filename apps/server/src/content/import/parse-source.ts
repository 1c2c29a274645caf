import { extractLinks } from '@emma/mail/links/extract-links.ts'
import { baseOf, findResources, replaceUrls, type Resource } from '@emma/mail/template/find-resources.ts'
import { findStructureFault } from '@emma/mail/template/html-structure.ts'
import { inlineCss } from '@emma/mail/template/inline-css.ts'
import { maskLiquid } from '@emma/mail/template/scan-liquid.ts'
import { isTextTooDeep, textFromHtml } from '@emma/mail/template/text-from-html.ts'

/** What a source refers to. */
export interface ParsedSource {
  resources: Resource[]
  base: string | null
}

export interface SourceChange {
  source: string
  resources: readonly Resource[]
  /** New URLs by the one of the source. */
  urls: ReadonlyMap<string, string>
  isHtml: boolean
  inlinesCss: boolean
}

/** A source with its text, title and links. */
export interface ChangedSource {
  html: string
  text: string
  title: string
  links: { url: string; name: string }[]
}

export function parseSource(source: string): ParsedSource {
  return { resources: findResources(source), base: baseOf(source) }
}

/** Replaces URLs; null for HTML that is nested too deeply. Text and links of MJML are those of its HTML, thus empty here. */
export function changeSource(change: SourceChange): ChangedSource | null {
  const { source, resources, urls, isHtml, inlinesCss } = change
  const replaced = replaceUrls(source, resources, ({ url }) => urls.get(url) ?? null)
  const title = /<(?:mj-)?title[^>]{0,200}>([^<]{0,1000})/i.exec(replaced)?.[1] ?? ''
  const plainTitle = title.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  const plain = { html: replaced, text: '', title: plainTitle, links: [] }
  const masked = isHtml ? maskOf(replaced) : null
  // Braces that are no Liquid: the editor shows where.
  if (masked === null) return plain
  if (findStructureFault(masked) !== null || isTextTooDeep(replaced)) return null
  return {
    html: inlinesCss ? inlineCss(replaced) : replaced,
    text: textFromHtml(replaced),
    title: plainTitle,
    links: extractLinks(replaced, '').map(({ url, name }) => ({ url, name })),
  }
}

function maskOf(source: string): string | null {
  try {
    return maskLiquid(source)
  } catch {
    return null
  }
}
