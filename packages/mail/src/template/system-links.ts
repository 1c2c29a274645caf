import { browserUrl, doiUrl, preferencesUrl, unsubscribeUrl } from '../tracking-urls.ts'
import { type LinkName, linkNames } from './check-variables.ts'
import { pageTokenName } from './compile-segments.ts'
import type { Piece } from './scan-liquid.ts'
import { scanLiquid } from './scan-liquid.ts'

/**
 * Writes the system links: `{{ link.unsubscribe }}` becomes its URL with the token as the only slot; with filters, an
 * output that builds the URL first.
 */
export function writeOwnLinks(text: string, base: string): string {
  if (!text.includes('link.')) return text
  return scanLiquid(text)
    .map(piece => writePiece(text, piece, base))
    .join('')
}

/** Returns the system links that a template displays. */
export function systemLinks(pieces: readonly Piece[]): Set<LinkName> {
  const names = new Set<LinkName>()
  for (const piece of pieces) {
    const name = piece.type === 'output' ? ownLink(piece.content)?.name : undefined
    if (name) names.add(name)
  }
  return names
}

function writePiece(text: string, piece: Piece, base: string): string {
  const original = text.slice(piece.start, piece.end)
  const link = piece.type === 'output' ? ownLink(piece.content) : null
  if (!link) return original
  const [before = '', after = ''] = addresses[link.name](base, '\n').split('\n')
  if (link.filters === '') return `${before}{{ ${pageTokenName} }}${after}`
  return `{{ "${before}" | append: ${pageTokenName} | append: "${after}" ${link.filters} }}`
}

const addresses: Record<LinkName, (base: string, token: string) => string> = {
  unsubscribe: unsubscribeUrl,
  browser: browserUrl,
  preferences: preferencesUrl,
  doi: doiUrl,
}

function ownLink(content: string): { name: LinkName; filters: string } | null {
  const match = /^\s*link\.(\w+)\s*(\|[\s\S]*)?$/.exec(content)
  const name = linkNames.find(one => one === match?.[1])
  return name ? { name, filters: (match?.[2] ?? '').trim() } : null
}
