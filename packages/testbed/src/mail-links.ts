/** URLs in an HTML message. */
export interface MailLinks {
  /** http and https URLs of images, in order, each once. */
  images: string[]
  /** http and https URLs of links, in order, each once. */
  links: string[]
}

/** Parses images and links of an HTML message; at most 200 of each, in linear time. */
export function readMailLinks(html: string): MailLinks {
  return { images: collect(html, IMAGE), links: collect(html, LINK) }
}

/** Attribute values in double or single quotes. No part may pass the next `<`, which keeps the search linear. */
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

/** The only character reference that URLs need. */
function decodeAmpersands(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, '&')
}
