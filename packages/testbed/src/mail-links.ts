/** Where an HTML mail points to. */
export interface MailLinks {
  /** http and https addresses of pictures, in order, without repetition. */
  images: string[]
  /** http and https addresses of links, in order, without repetition. */
  links: string[]
}

/** Reads pictures and links out of an HTML mail; at most 200 of each, time linear in its length. */
export function readMailLinks(html: string): MailLinks {
  return { images: collect(html, IMAGE), links: collect(html, LINK) }
}

/** Attribute values in double or single quotes. No part may run past the next `<`: that keeps the search linear. */
const IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"<>]{1,4000})"|'([^'<>]{1,4000})')/gi
const LINK = /<a(?:rea)?\b[^<>]*?\shref\s*=\s*(?:"([^"<>]{1,4000})"|'([^'<>]{1,4000})')/gi
const MOST = 200

function collect(html: string, pattern: RegExp): string[] {
  const found = new Set<string>()
  for (const match of html.matchAll(pattern)) {
    const address = decodeAmpersands(match[1] ?? match[2] ?? '').trim()
    if (/^https?:\/\//i.test(address) && URL.canParse(address)) found.add(address)
    if (found.size >= MOST) break
  }
  return [...found]
}

/** The one character reference that addresses need. */
function decodeAmpersands(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, '&')
}
