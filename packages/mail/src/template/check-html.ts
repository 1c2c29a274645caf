import { mailFault, type MailFault } from '../mail-fault.ts'
import { findHtmlLinks, type FoundLink } from '../links/find-links.ts'
import { urlKind } from '../links/link-url.ts'
import { trackingObstacle } from '../links/track-links.ts'
import { decodeEntities } from './html-entities.ts'
import {
  type Attribute,
  attribute,
  attributeText,
  type HtmlToken,
  type OpenTag,
  tokenizeHtml,
} from './html-tokens.ts'
import { findStructureFault } from './html-structure.ts'
import { inliningCost, maxInliningCost } from './inline-css.ts'
import { mask, maskLiquid, type Piece } from './scan-liquid.ts'
import type { WarningCode } from './template-error.ts'

/** A finding in HTML; `fatal` prevents compilation. */
export interface HtmlFinding {
  code: WarningCode
  severity: 'fatal' | 'warning'
  offset: number
  fault: MailFault
}

/** Checks an HTML part for problems with mail programs, filters and readers, in source order. */
export function checkHtml(html: string, pieces: readonly Piece[]): HtmlFinding[] {
  const masked = maskLiquid(html, pieces)
  const structure = findStructureFault(masked)
  if (structure) return [{ code: 'active-content', severity: 'fatal', ...structure }]
  const tokens = tokenizeHtml(masked)
  const findings: HtmlFinding[] = []
  if (inliningCost(html, tokens) > maxInliningCost) {
    const fault = mailFault('content.styles_many')
    findings.push({ code: 'styles-not-inlined', severity: 'warning', offset: 0, fault })
  }
  for (const link of findHtmlLinks(html, masked, tokens)) findings.push(...checkLink(link))
  for (const token of tokens) {
    if (token.type === 'open') findings.push(...checkTag(html, masked, token, pieces))
    if (token.type === 'text') findings.push(...foreignTags(masked, token))
  }
  return atMostTenEach(findings).toSorted((a, b) => a.offset - b.offset)
}

function checkLink(link: FoundLink): HtmlFinding[] {
  const finding = (code: WarningCode, severity: HtmlFinding['severity'], fault: MailFault): HtmlFinding[] => [
    { code, severity, offset: link.start, fault },
  ]
  const shown = quoted(link.url)
  switch (link.kind) {
    case 'dangerous':
      return finding('unsupported-scheme', 'fatal', mailFault('content.link_program', { link: shown }))
    case 'unsupported':
      return finding('unsupported-scheme', 'warning', mailFault('content.link_unsupported', { link: shown }))
    case 'empty':
      return finding('empty-link', 'warning', mailFault('content.link_empty', { name: link.name }))
    case 'relative':
      return finding('relative-link', 'warning', mailFault('content.link_relative', { link: shown }))
    case 'foreign':
      return finding('foreign-placeholder', 'warning', mailFault('content.foreign', { text: shown }))
    case 'web':
    case 'template':
      return checkWebLink(link, finding)
    default:
      return []
  }
}

function checkWebLink(
  link: FoundLink,
  finding: (code: WarningCode, severity: HtmlFinding['severity'], fault: MailFault) => HtmlFinding[],
): HtmlFinding[] {
  const shown = quoted(link.url)
  if (trackingObstacle(link) === 'variables' && link.wish === 'track') {
    return finding('link-not-trackable', 'warning', mailFault('content.link_uncounted', { link: shown }))
  }
  if (/^http:/i.test(link.url)) {
    return finding('insecure-link', 'warning', mailFault('content.link_insecure', { link: shown }))
  }
  return []
}

function checkTag(html: string, masked: string, tag: OpenTag, pieces: readonly Piece[]): HtmlFinding[] {
  const findings: HtmlFinding[] = []
  if (tag.name === 'img' && !attribute(tag, 'alt') && !isTiny(html, tag)) {
    findings.push({
      code: 'image-without-alt',
      severity: 'warning',
      offset: tag.start,
      fault: mailFault('content.image_alt', {
        picture: quoted(attributeText(html, attribute(tag, 'src'))),
      }),
    })
  }
  if (activeElements.has(tag.name)) {
    findings.push({
      code: 'active-content',
      severity: 'warning',
      offset: tag.start,
      fault: mailFault('content.tag_active', { tag: tag.name }),
    })
  }
  for (const one of tag.attributes) findings.push(...checkAttribute(masked, tag, one, pieces))
  return findings
}

const activeElements = new Set(['script', 'iframe', 'frame', 'object', 'embed', 'applet', 'form', 'base'])

/** Pixels and spacers need no alt text. */
function isTiny(html: string, tag: OpenTag): boolean {
  const size = (name: string) => Number.parseFloat(attributeText(html, attribute(tag, name)))
  return size('width') <= 2 && size('height') <= 2
}

function checkAttribute(
  masked: string,
  tag: OpenTag,
  one: Attribute,
  pieces: readonly Piece[],
): HtmlFinding[] {
  const fatal = (fault: MailFault): HtmlFinding[] => [
    { code: 'active-content', severity: 'fatal', offset: one.start, fault },
  ]
  if (one.name === '') {
    const hasOutput = pieces.some(
      piece => piece.type === 'output' && piece.start >= one.start && piece.start < one.end,
    )
    return hasOutput ? fatal(mailFault('content.html_placeholder', { tag: tag.name })) : []
  }
  if (one.name.startsWith('on') && one.value) {
    const fault = mailFault('content.attribute_active', { attribute: one.name })
    return [{ code: 'active-content', severity: 'warning', offset: one.start, fault }]
  }
  if (!one.value) return []
  const value = masked.slice(one.value.start, one.value.end)
  if (one.value.quote === '' && value.includes(mask) && /["'`<=]/.test(value)) {
    return fatal(mailFault('content.html_quotes', { attribute: one.name }))
  }
  const isSource = sourceAttributes.has(one.name)
  if (isSource && urlKind(decodeEntities(value)) === 'dangerous') {
    if (!/^\s*data:image\//i.test(value))
      return fatal(mailFault('content.address_program', { attribute: one.name }))
    const fault = mailFault('content.image_inside')
    return [{ code: 'unsupported-scheme', severity: 'warning', offset: one.start, fault }]
  }
  return []
}

const sourceAttributes = new Set(['src', 'action', 'background', 'formaction', 'poster'])

function foreignTags(masked: string, token: Extract<HtmlToken, { type: 'text' }>): HtmlFinding[] {
  const text = masked.slice(token.start, token.end)
  return [...text.matchAll(/\*\|[\w:.=-]{1,60}\|\*|\[\[[A-Z][\w:.-]{1,60}\]\]|%%[\w.-]{1,60}%%/g)].map(
    match => ({
      code: 'foreign-placeholder',
      severity: 'warning',
      offset: token.start + match.index,
      fault: mailFault('content.foreign', { text: match[0] }),
    }),
  )
}

/** Limits repeated findings: more than ten of a kind add nothing. */
function atMostTenEach(findings: readonly HtmlFinding[]): HtmlFinding[] {
  const counts = new Map<WarningCode, number>()
  return findings.filter(({ code, severity }) => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    return severity === 'fatal' || count <= 10
  })
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return `"${line.length > 80 ? `${line.slice(0, 79)}…` : line}"`
}
