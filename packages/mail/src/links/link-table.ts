import type { FoundLink } from './find-links.ts'

/** A row of a message's link table, in the form of the wire (domain.md, message: urls). */
export interface LinkRow {
  /** 0-based; stands in the click address. */
  index: number
  name: string
  /** With placeholders, if it has any: they are filled in when the link is clicked (see `resolveLink`). */
  url: string
  is_active: boolean
}

/** A place of the mail and the row it belongs to. */
export interface NumberedLink extends FoundLink {
  index: number
}

export interface LinkTable {
  rows: LinkRow[]
  html: NumberedLink[]
  text: NumberedLink[]
}

/**
 * Numbers the links of a mail: first the HTML part in the order of its source, one row per place; then the text part.
 * A place in the text that leads where a place in the HTML leads is the same link (the first in the text is the first
 * in the HTML with that address, and so on; further ones belong to the last), since readers see one part or the
 * other; an address that only the text has gets a row of its own.
 *
 * Rows known from before keep their name and whether they are active, matched by address and by its how-manieth
 * place, so that moving a paragraph does not mix them up.
 */
export function numberLinks(
  html: readonly FoundLink[],
  text: readonly FoundLink[],
  before: readonly Omit<LinkRow, 'index'>[] = [],
): LinkTable {
  const rows: LinkRow[] = []
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
  const inHtml = html.map(link => ({ ...link, index: addRow(link) }))
  const places = occurrences(inHtml)
  const seen = new Map<string, number>()
  const inText = text.map(link => {
    const count = seen.get(link.url) ?? 0
    seen.set(link.url, count + 1)
    const same = places.get(link.url)
    return { ...link, index: same ? (same[Math.min(count, same.length - 1)] ?? 0) : addRow(link) }
  })
  return { rows, html: inHtml, text: inText }
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
