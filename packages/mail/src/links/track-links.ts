import { liquidEngine } from '../template/liquid-engine.ts'
import type { Edit } from '../template/html-edits.ts'
import { escapeAttribute } from '../template/html-entities.ts'
import type { Attribute, HtmlToken } from '../template/html-tokens.ts'
import { mask } from '../template/scan-liquid.ts'
import { templateNames } from '../template/template-names.ts'
import { type FoundLink, trackAttribute } from './find-links.ts'
import type { NumberedLink } from './link-table.ts'
import { endsWithFilter, withoutFilter, writeUrlValues } from './url-values.ts'

/** Reason why a web link cannot be tracked, or null: `own` are system links (link.unsubscribe …). */
export function trackingObstacle(link: FoundLink): 'own' | 'variables' | 'no-web' | null {
  if (link.kind !== 'web' && link.kind !== 'template') return 'no-web'
  if (!link.url.includes('{')) return null
  if (/\blink\.\w/.test(link.url)) return 'own'
  return resolvesAlone(link.url) ? null : 'variables'
}

/**
 * A tracked URL is resolved on click with the recipient's data only: no loop variables, no condition that ends
 * outside the URL.
 */
function resolvesAlone(url: string): boolean {
  const { liquid } = liquidEngine('url', { language: 'en', timeZone: 'UTC' })
  try {
    const { globals } = templateNames(liquid.parse(url))
    return globals.every(({ path: [root = ''] }) => rootsAtClick.has(root))
  } catch {
    return false
  }
}

const rootsAtClick = new Set(['member', 'campaign', 'client', 'data'])

/**
 * Returns the edits of an HTML message's tags: tracked links get their click URL, values merged into other URLs are
 * encoded, attribute values with placeholders get quotes where needed, and the opt-out attribute is removed.
 * @param clickAddress returns the click URL of a row, with the token as Liquid
 */
export function linkEdits(
  html: string,
  masked: string,
  tokens: readonly HtmlToken[],
  tracked: readonly NumberedLink[],
  clickAddress: (index: number) => string,
): Edit[] {
  const addresses = new Map(tracked.map(link => [link.start, escapeAttribute(clickAddress(link.index))]))
  const edits: Edit[] = []
  for (const token of tokens) {
    if (token.type !== 'open') continue
    for (const one of token.attributes) {
      if (one.name === trackAttribute) edits.push(removal(html, one))
      else edits.push(...valueEdit(html, masked, one, addresses))
    }
  }
  return edits
}

function removal(html: string, one: Attribute): Edit {
  const isSpaced = /\s/.test(html[one.start - 1] ?? '')
  return { start: isSpaced ? one.start - 1 : one.start, end: one.end, text: '' }
}

function valueEdit(
  html: string,
  masked: string,
  one: Attribute,
  addresses: ReadonlyMap<number, string>,
): Edit[] {
  if (!one.value) return []
  const { start, end, quote } = one.value
  const address = addresses.get(start)
  const hasLiquid = masked.slice(start, end).includes(mask)
  if (address === undefined && !hasLiquid) return []
  const before = html.slice(start, end)
  const after = address ?? (urlAttributes.has(one.name) ? encodeForAttribute(before) : before)
  if (quote === '') return [{ start, end, text: `"${after}"` }]
  return after === before ? [] : [{ start, end, text: after }]
}

const urlAttributes = new Set([
  'href',
  'src',
  'action',
  'background',
  'cite',
  'formaction',
  'poster',
  'longdesc',
])

/**
 * Encodes merged values in a URL: those at the beginning must be a URL, others are percent-encoded. HTML escaping
 * follows.
 */
export function encodeForAttribute(url: string): string {
  return writeUrlValues(url, (value, position) => {
    if (/^(?:link\.\w+|emma_(?:page_)?token)$/.test(value)) return `{{ ${value} }}`
    const plain = withoutFilter(value, 'raw')
    if (position === 'start') return `{{ ${plain} | safe_url }}`
    if (endsWithFilter(plain, 'url_encode')) return `{{ ${plain} }}`
    const isWanted = position === 'rest' && endsWithFilter(value, 'raw')
    return isWanted ? `{{ ${plain} }}` : `{{ ${plain} | url_component }}`
  })
}

/** Returns the edits of a text part. */
export function textLinkEdits(
  tracked: readonly NumberedLink[],
  clickAddress: (index: number) => string,
): Edit[] {
  return tracked.map(({ start, end, index }) => ({ start, end, text: clickAddress(index) }))
}
