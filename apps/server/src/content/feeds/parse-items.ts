import { createHash } from 'node:crypto'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import { textFromHtml, isTextTooDeep } from '@emma/mail/template/text-from-html.ts'
import { parseFeed } from 'feedsmith'
import { FEED_LIMITS } from '../../network/limits.ts'

/** Longest text of an item, before it is shortened. */
const LONGEST = { title: 300, summary: 1_000, markup: 20_000, url: 2_000 }

/**
 * Reads the items of an RSS, RDF, Atom or JSON feed. Titles and summaries become plain text, addresses absolute.
 * @returns null if it is no feed
 */
export function parseItems(source: string, base: string): FeedItem[] | null {
  // Declared entities could expand to any size; no feed needs them.
  if (/<!ENTITY/i.test(source)) return null
  const entries = readEntries(source)
  if (entries === null) return null
  const items = entries
    .slice(0, FEED_LIMITS.items)
    .map(entry => toItem(entry, base))
    .filter(item => item.title !== '' || item.summary !== '' || item.link !== '')
  return [...new Map(items.toReversed().map(item => [item.key, item])).values()].toReversed()
}

/** What the formats call differently. */
interface Entry {
  id: string | undefined
  title: string | undefined
  link: string | undefined
  summary: string | undefined
  image: string | undefined
  date: string | undefined
}

function readEntries(source: string): Entry[] | null {
  try {
    const { format, feed } = parseFeed(source, { maxItems: FEED_LIMITS.items })
    switch (format) {
      case 'rss':
        return (feed.items ?? []).map(item => ({
          id: item.guid?.value,
          title: item.title,
          link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
          summary: item.description ?? item.content?.encoded,
          image: imageOf(item.enclosures, item.media),
          date: item.pubDate ?? item.dc?.dates?.[0],
        }))
      case 'rdf':
        return (feed.items ?? []).map(item => ({
          id: item.rdf?.about,
          title: item.title,
          link: item.link,
          summary: item.description,
          image: imageOf([], item.media),
          date: item.dc?.dates?.[0],
        }))
      case 'atom':
        return (feed.entries ?? []).map(entry => ({
          id: entry.id,
          title: entry.title?.value,
          link: entry.links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href,
          summary: entry.summary?.value ?? entry.content?.value,
          image: imageOf(
            entry.links
              ?.filter(({ rel }) => rel === 'enclosure')
              .map(({ href, type }) => ({ url: href, type })),
            entry.media,
          ),
          date: entry.published ?? entry.updated,
        }))
      case 'json':
        return (feed.items ?? []).map(item => ({
          id: item.id,
          title: item.title,
          link: item.url ?? item.external_url,
          summary: item.summary ?? item.content_text ?? item.content_html,
          image: item.image ?? item.banner_image,
          date: item.date_published ?? item.date_modified,
        }))
    }
  } catch {
    // Another document, or a broken one.
    return null
  }
}

interface Enclosure {
  url?: string | undefined
  type?: string | undefined
}

interface Media {
  contents?: { url?: string; medium?: string; type?: string }[]
  thumbnails?: { url?: string }[]
}

function imageOf(enclosures: readonly Enclosure[] | undefined, media: Media | undefined): string | undefined {
  return (
    enclosures?.find(({ type }) => type?.startsWith('image/'))?.url ??
    media?.contents?.find(({ medium, type }) => medium === 'image' || type?.startsWith('image/'))?.url ??
    media?.thumbnails?.[0]?.url
  )
}

function toItem(entry: Entry, base: string): FeedItem {
  const title = plain(entry.title, LONGEST.title)
  const link = webAddress(entry.link, base)
  const date = new Date(entry.date ?? NaN)
  return {
    key: createHash('sha256')
      .update(entry.id || link || title)
      .digest('base64url'),
    title,
    link,
    summary: plain(entry.summary, LONGEST.summary),
    image: webAddress(entry.image, base),
    date: Number.isNaN(date.getTime()) ? '' : date.toISOString(),
  }
}

/** One line of text from text or HTML. */
function plain(markup: unknown, longest: number): string {
  if (typeof markup !== 'string') return ''
  const html = markup.slice(0, LONGEST.markup).replaceAll(/<(?:img|figure)\b[^>]{0,2000}>/gi, '')
  if (isTextTooDeep(html)) return ''
  const text = (/[<&]/.test(html) ? textFromHtml(html) : html)
    // eslint-disable-next-line no-control-regex -- feeds may hold anything
    .replaceAll(/[\u0000-\u001F\u007F\s]+/g, ' ')
    .toWellFormed()
    .trim()
  if (text.length <= longest) return text
  return `${text.slice(0, longest).replace(/\s\S{0,40}$/, '')}…`.toWellFormed()
}

/** An absolute web address; empty for others, such as scripts. */
function webAddress(address: unknown, base: string): string {
  const url = typeof address === 'string' && address.length <= LONGEST.url ? URL.parse(address, base) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : ''
}
