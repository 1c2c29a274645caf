import { decodeEntities } from '../template/html-entities.ts'
import {
  attribute,
  attributeText,
  type Attribute,
  type HtmlToken,
  type OpenTag,
} from '../template/html-tokens.ts'
import { mask } from '../template/scan-liquid.ts'
import { browserUrl, type UrlKind, urlKind } from './link-url.ts'

/** A link in a message. Offsets refer to the text it was found in. */
export interface FoundLink {
  kind: UrlKind
  /** As a browser reads it: entities decoded, Liquid unchanged. */
  url: string
  /** Visible name: link text, alt text of an image, title, otherwise the host. */
  name: string
  /** Offset of the URL, without quotes. */
  start: number
  end: number
  /** `no`: the author opted out of tracking (data-emma-track="no"). */
  wish: 'track' | 'no'
  /** HTML only. */
  html: { tag: OpenTag; attribute: Attribute } | null
}

/** Attribute that opts a link out of tracking. Removed before sending. */
export const trackAttribute = 'data-emma-track'

/**
 * Finds all links of an HTML message in source order: `a`, `area` and Outlook's VML shapes, also in conditional
 * comments. Two links with the same URL are two entries, because click maps show which one was clicked.
 * @param masked the same HTML with Liquid masked, and its tokens
 */
export function findHtmlLinks(html: string, masked: string, tokens: readonly HtmlToken[]): FoundLink[] {
  const links: FoundLink[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'open' || !isLinkTag(token)) continue
    // A tag may have several URLs: `<a {% if x %}href="…"{% else %}href="…"{% endif %}>`.
    for (const href of token.attributes) {
      if (href.name !== 'href' || !href.value) continue
      const { start, end } = href.value
      const url = browserUrl(decodeEntities(html.slice(start, end)))
      const kind = urlKind(decodeEntities(masked.slice(start, end)))
      const wish =
        attributeText(html, attribute(token, trackAttribute)).toLowerCase() === 'no' ? 'no' : 'track'
      const name = linkName(html, tokens, index) || hostOf(url)
      links.push({ kind, url, name, start, end, wish, html: { tag: token, attribute: href } })
    }
  }
  return links
}

function isLinkTag(tag: OpenTag): boolean {
  return tag.name === 'a' || tag.name === 'area' || tag.name.startsWith('v:')
}

/** Content of a link, short and on one line. */
function linkName(html: string, tokens: readonly HtmlToken[], index: number): string {
  const opening = tokens[index]
  if (opening?.type !== 'open') return ''
  let text = ''
  // An area is a void element: what follows is not its text.
  const inside = opening.name === 'area' ? [] : tokens.slice(index + 1, index + 60)
  for (const token of inside) {
    if (token.type === 'close' && token.name === opening.name) break
    if (token.type === 'open' && token.name === opening.name) break
    if (token.type === 'text' && !token.raw) text += html.slice(token.start, token.end)
    if (token.type === 'open' && token.name === 'img')
      text += ` ${attributeText(html, attribute(token, 'alt'))} `
    if (text.length > 300) break
  }
  const shown = oneLine(decodeEntities(text))
  if (shown !== '') return shown
  const title =
    attributeText(html, attribute(opening, 'title')) || attributeText(html, attribute(opening, 'alt'))
  return oneLine(decodeEntities(title))
}

function oneLine(text: string): string {
  const line = text.replaceAll(/(?:\s|\u200b|\u200c|\u200d|\u034f|\u00ad|\ufeff)+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99).replace(/[\ud800-\udbff]$/, '')}…` : line
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url.slice(0, 100)
}

/**
 * Finds all web URLs of a text part, in order. Trailing punctuation belongs to the sentence; a closing bracket
 * belongs to the URL only if it was opened in it. A placeholder in angle brackets is a link if the HTML has it as
 * one, or if its name or default looks like a URL: `Ann <{{ member.email }}>` is not.
 * @param htmlLinks links of the HTML part of the same message
 */
export function findTextLinks(
  text: string,
  masked: string,
  htmlLinks: readonly FoundLink[] = [],
): FoundLink[] {
  const templates = new Set(
    htmlLinks.filter(({ kind }) => kind === 'template').map(({ url }) => squeeze(url)),
  )
  const links: FoundLink[] = []
  for (const match of masked.matchAll(textUrl)) {
    const start = match.index
    const end = start + withoutPunctuation(match[0]).length
    const url = text.slice(start, end)
    if (urlKind(masked.slice(start, end)) !== 'web') continue
    links.push({ kind: 'web', url, name: hostOf(url), start, end, wish: 'track', html: null })
  }
  for (const match of masked.matchAll(textTemplate)) {
    const start = match.index + 1
    const end = match.index + match[0].length - 1
    const placeholder = text.slice(start, end)
    if (!templates.has(squeeze(placeholder)) && !namesLink(placeholder)) continue
    links.push({
      kind: 'template',
      url: text.slice(start, end),
      name: text.slice(start, end),
      start,
      end,
      wish: 'track',
      html: null,
    })
  }
  return links.toSorted((a, b) => a.start - b.start)
}

const textUrl = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/gi

const textTemplate = new RegExp(`<${mask}[^\\s<>]*>`, 'g')

/** True if a placeholder is named like a web address, or has one as default. */
function namesLink(placeholder: string): boolean {
  const [path = ''] = placeholder.replace(/^\{\{-?\s*/, '').split(/[|\s}]/, 1)
  return LINK_NAME.test(path) || placeholder.includes('://') || placeholder.includes('safe_url')
}

const LINK_NAME = /(?:url|uri|link|href|website|webseite|homepage|enlace)s?\d*$|^link\./i

function squeeze(placeholder: string): string {
  return placeholder.replaceAll(/\s+/g, '')
}

function withoutPunctuation(url: string): string {
  const surplus = { ')': count(url, ')') - count(url, '('), ']': count(url, ']') - count(url, '[') }
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1]!
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) break
      surplus[last]--
    } else if (!'.,;:!?*_'.includes(last)) break
  }
  return url.slice(0, end)
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
