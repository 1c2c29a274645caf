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
  /** HTML with its modules and styles in place; empty for a text mail. */
  html: string
  text: string
  /** As HTML. */
  preheader: string
  preheaderLength: number
  trackingBase: string
  isTracked: boolean
  links: readonly Omit<LinkRow, 'index'>[]
}

export interface AssembledMail {
  /** Liquid: what is left in it are values of the recipient and the token. */
  html: string
  text: string
  /** `is_active` is what was chosen for a link, also in a mail that is not tracked. */
  links: LinkRow[]
}

/**
 * Puts a mail together: numbers its links, gives tracked ones their click address in both parts, adds preheader,
 * charset and open pixel, and writes the mail's own links. Everything else stays byte for byte.
 */
export function assembleMail(source: Assembly): AssembledMail {
  const { html, text, trackingBase: base, isTracked } = source
  const maskedHtml = maskLiquid(html)
  const tokens = tokenizeHtml(maskedHtml)
  const maskedText = maskLiquid(text)
  const htmlLinks = findHtmlLinks(html, maskedHtml, tokens)
  const table = numberLinks(
    htmlLinks.filter(isTrackable),
    findTextLinks(text, maskedText, htmlLinks).filter(isTrackable),
    source.links,
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

function isTrackable(link: FoundLink): boolean {
  return trackingObstacle(link) === null
}

/** Values merged into an address that is not tracked are encoded for it, as they are in HTML. */
function encodedValues({ start, end, url }: NumberedLink): Edit[] {
  const text = encodeForAttribute(url)
  return text === url ? [] : [{ start, end, text }]
}
