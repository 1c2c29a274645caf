import { findHtmlLinks, findTextLinks, type FoundLink } from '../links/find-links.ts'
import { type LinkRow, type NumberedLink, numberLinks } from '../links/link-table.ts'
import { encodeForAttribute, linkEdits, textLinkEdits, trackingObstacle } from '../links/track-links.ts'
import { clickUrl, openUrl } from '../tracking-urls.ts'
import { tokenName } from './compile-segments.ts'
import { applyEdits, type Edit } from './html-edits.ts'
import { escapeAttribute } from './html-entities.ts'
import { tokenizeHtml } from './html-tokens.ts'
import { charsetEdits, pixelEdit, preheaderEdit } from './document-wrapper.ts'
import { writeOwnLinks } from './system-links.ts'
import { maskLiquid } from './scan-liquid.ts'

export interface Assembly {
  /** HTML with modules and styles inserted; empty for text-only messages. */
  html: string
  text: string
  /** As HTML. */
  preheader: string
  preheaderLength: number
  trackingBase: string
  isTracked: boolean
  links: readonly Omit<LinkRow, 'index'>[]
  /** Data feeds fetched per recipient: their values are not stored, so links with them cannot be tracked. */
  personal: readonly string[]
  sharedLinks: readonly LinkRow[]
}

export interface AssembledMail {
  /** Liquid: its remaining placeholders are recipient values and the token. */
  html: string
  text: string
  /** `is_active` is the stored choice, also for an untracked message. */
  links: LinkRow[]
}

/**
 * Assembles a message: numbers its links, replaces tracked ones by click URLs in both parts, inserts preheader,
 * charset and open pixel, and writes the system links. Everything else stays byte-identical.
 */
export function assembleMail(source: Assembly): AssembledMail {
  const { html, text, trackingBase: base, isTracked } = source
  const maskedHtml = maskLiquid(html)
  const tokens = tokenizeHtml(maskedHtml)
  const maskedText = maskLiquid(text)
  const isTrackable = (link: FoundLink) =>
    trackingObstacle(link) === null && !source.personal.some(name => readsData(link.url, name))
  const htmlLinks = findHtmlLinks(html, maskedHtml, tokens)
  const table = numberLinks(
    htmlLinks.filter(isTrackable),
    findTextLinks(text, maskedText, htmlLinks).filter(isTrackable),
    source.links,
    source.sharedLinks,
  )
  const isActive = (link: NumberedLink) => isTracked && table.rows[link.index]?.is_active === true
  const token = `{{ ${tokenName} }}`
  const clickAddress = (index: number) => clickUrl(base, token, index)

  const htmlEdits: Edit[] = [
    ...(source.preheader === '' ? [] : [preheaderEdit(tokens, source.preheader, source.preheaderLength)]),
    ...charsetEdits(tokens, maskedHtml),
    ...linkEdits(html, maskedHtml, tokens, table.html.filter(isActive), clickAddress),
    ...(isTracked ? [pixelEdit(tokens, html, escapeAttribute(openUrl(base, token)))] : []),
  ]
  const textEdits = [
    ...textLinkEdits(table.text.filter(isActive), clickAddress),
    ...table.text.filter(link => !isActive(link)).flatMap(encodedValues),
  ]
  return {
    html: html === '' ? '' : writeOwnLinks(applyEdits(html, htmlEdits), escapeAttribute(base)),
    text: writeOwnLinks(applyEdits(text, textEdits), base),
    links: table.rows,
  }
}

function readsData(url: string, name: string): boolean {
  return url.includes('{') && new RegExp(`\\bdata\\b.{0,20}\\b${name}\\b`).test(url)
}

/** Encodes values merged into an untracked URL, as in HTML. */
function encodedValues({ start, end, url }: NumberedLink): Edit[] {
  const text = encodeForAttribute(url)
  return text === url ? [] : [{ start, end, text }]
}
