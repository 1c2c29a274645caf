import type { FoundLink } from './find-links.ts'

/** A row of a message's link table, in wire format (domain.md, message: urls). */
export interface LinkRow {
  /** 0-based; part of the click URL. */
  index: number
  name: string
  /** May contain placeholders, which are resolved on click (see `resolveLink`). */
  url: string
  is_active: boolean
}

/** A link and the number of its row. */
export interface NumberedLink extends FoundLink {
  index: number
}

export interface LinkTable {
  rows: LinkRow[]
  html: NumberedLink[]
  text: NumberedLink[]
}

/**
 * Numbers the links of a message: first the HTML part in source order, one row per link; then the text part. A text
 * link with the URL of an HTML link shares its row (the first with the first, and so on; further ones with the last),
 * since readers see one part or the other. A URL found only in the text gets its own row.
 *
 * Existing rows preserve name and active state, matched by URL and occurrence, so that moving a paragraph does not
 * mix them up.
 * @param shared rows of other languages of the message; a link with a URL of them shares its row like a text link
 */
export function numberLinks(
  html: readonly FoundLink[],
  text: readonly FoundLink[],
  before: readonly Omit<LinkRow, 'index'>[] = [],
  shared: readonly LinkRow[] = [],
): LinkTable {
  const rows: LinkRow[] = [...shared]
  const known = occurrences(before.map((row, index) => ({ url: row.url, index })))
  const counts = new Map<string, number>()
  const addRow = (link: FoundLink): number => {
    const index = rows.length
    const same = counts.get(link.url) ?? 0
    counts.set(link.url, same + 1)
    const places = known.get(link.url) ?? []
    const old = before[places[Math.min(same, places.length - 1)] ?? -1]
    rows.push({
      index,
      name: old && old.name !== '' ? old.name : link.name,
      url: link.url,
      is_active: link.wish === 'track' && (old?.is_active ?? true),
    })
    return index
  }
  const inHtml = html.map(sharing(shared, addRow))
  const inText = text.map(sharing(shared.length === 0 ? inHtml : rows, addRow))
  return { rows, html: inHtml, text: inText }
}

/** Numbers links: one with the URL of a row shares it, the first with the first, further ones with the last. */
function sharing(
  rows: readonly { url: string; index: number }[],
  addRow: (link: FoundLink) => number,
): (link: FoundLink) => NumberedLink {
  const places = occurrences(rows)
  const seen = new Map<string, number>()
  return link => {
    const count = seen.get(link.url) ?? 0
    seen.set(link.url, count + 1)
    const same = places.get(link.url)
    return { ...link, index: same ? (same[Math.min(count, same.length - 1)] ?? 0) : addRow(link) }
  }
}

function occurrences(links: readonly { url: string; index: number }[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { url, index } of links) {
    const places = found.get(url)
    if (places) places.push(index)
    else found.set(url, [index])
  }
  return found
}
