import { browserUrl, urlKind } from '../links/link-url.ts'
import { applyEdits } from './html-edits.ts'
import { decodeEntities, escapeAttribute } from './html-entities.ts'
import { type Attribute, type HtmlToken, type OpenTag, tokenizeHtml } from './html-tokens.ts'
import { maskLiquid, mask } from './scan-liquid.ts'

/** A URL in a template's source, HTML or MJML. */
export interface Resource {
  kind: 'image' | 'link' | 'stylesheet'
  /** As a browser reads it. */
  url: string
  /** Offsets of the URL in the source. */
  start: number
  end: number
  /** From 1. */
  line: number
  place: 'attribute' | 'style-attribute' | 'style-element'
}

/** Most URLs of a source; the rest stays as it is. */
const MOST_RESOURCES = 5_000

/**
 * Finds the images, links and style sheets of a source in its order, without those that contain Liquid, lead to a place in the
 * message, or carry their content (data:, cid:).
 */
export function findResources(source: string): Resource[] {
  const masked = maskOf(source)
  const tokens = tokenizeHtml(masked)
  const found = tokens.flatMap((token, index) => inToken(masked, token, tokens[index - 1]))
  return numbered(source, found.slice(0, MOST_RESOURCES))
}

/** The base of relative URLs that the source names; null if it names none. */
export function baseOf(source: string): string | null {
  for (const token of tokenizeHtml(maskOf(source))) {
    if (token.type !== 'open' || token.name !== 'base') continue
    const href = token.attributes.find(({ name }) => name === 'href')?.value
    if (href) return browserUrl(decodeEntities(source.slice(href.start, href.end)))
  }
  return null
}

/** True if a page asks for a password. */
export function asksForPassword(source: string): boolean {
  return tokenizeHtml(maskOf(source)).some(
    token =>
      token.type === 'open' &&
      token.name === 'input' &&
      token.attributes.some(
        ({ name, value }) =>
          name === 'type' && value && /^password$/i.test(source.slice(value.start, value.end)),
      ),
  )
}

/** Replaces URLs; every other byte stays. @param urlOf null: unchanged */
export function replaceUrls(
  source: string,
  resources: readonly Resource[],
  urlOf: (resource: Resource) => string | null,
): string {
  const edits = resources.flatMap(resource => {
    const url = urlOf(resource)
    return url === null || url === resource.url
      ? []
      : [{ start: resource.start, end: resource.end, text: written(url, resource.place) }]
  })
  return applyEdits(source, edits)
}

/** The source of other programs may have braces that are no Liquid. */
function maskOf(source: string): string {
  try {
    return maskLiquid(source)
  } catch {
    return source
  }
}

type Found = Omit<Resource, 'line'>

function inToken(masked: string, token: HtmlToken, before: HtmlToken | undefined): Found[] {
  if (token.type === 'open')
    return token.attributes.flatMap(attribute => inAttribute(masked, token, attribute))
  const isStyle = token.type === 'text' && before?.type === 'open' && /^(?:mj-)?style$/.test(before.name)
  return isStyle ? inCss(masked, token, 'style-element') : []
}

const imageAttributes = new Set(['src', 'background', 'background-url', 'poster'])
const withoutImages = new Set(['script', 'iframe', 'frame', 'embed', 'video', 'audio', 'mj-include'])

function inAttribute(masked: string, tag: OpenTag, { name, value }: Attribute): Found[] {
  if (!value || value.start === value.end) return []
  if (name === 'style') return inCss(masked, value, 'style-attribute')
  if (name === 'srcset') return inSrcset(masked, value)
  if (name === 'class' || name === 'css-class') return inClasses(masked, value)
  if (name === 'href') {
    if (tag.name === 'base' || tag.name === 'mj-font') return []
    const kind = tag.name === 'link' ? 'stylesheet' : 'link'
    return found(masked, value, kind, 'attribute')
  }
  const isImage = imageAttributes.has(name) && !withoutImages.has(tag.name)
  return isImage ? found(masked, value, 'image', 'attribute') : []
}

/** Images of dark mode (dark-classes.ts). */
function inClasses(masked: string, value: Range): Found[] {
  const text = masked.slice(value.start, value.end)
  return [...text.matchAll(/(?<!\S)emma-dark-image:(\S{1,4000})/dg)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    return found(masked, { start: value.start + start, end: value.start + end }, 'image', 'attribute')
  })
}

function inSrcset(masked: string, value: Range): Found[] {
  const text = masked.slice(value.start, value.end)
  if (text.includes('data:')) return []
  return [...text.matchAll(/(?:^|,)\s*([^\s,]{1,4000})/dg)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    const range = { start: value.start + start, end: value.start + end }
    return found(masked, range, 'image', 'attribute')
  })
}

/** Style sheets and fonts are loaded by no email client; they become absolute like links. */
function inCss(masked: string, { start, end }: Range, place: Resource['place']): Found[] {
  const css = masked.slice(start, end)
  return [...css.matchAll(/url\(\s{0,9}(?:["']|&quot;|&#39;)?([^"'()\s&]{1,4000})/dgi)].flatMap(match => {
    const [from, to] = match.indices?.[1] ?? [0, 0]
    const isImport = /@import\s*$/i.test(css.slice(Math.max(0, match.index - 20), match.index))
    const isFont = /\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)/i.test(match[1] ?? '')
    const range = { start: start + from, end: start + to }
    return found(masked, range, isImport || isFont ? 'link' : 'image', place)
  })
}

interface Range {
  start: number
  end: number
}

function found(
  masked: string,
  { start, end }: Range,
  kind: Resource['kind'],
  place: Resource['place'],
): Found[] {
  const text = masked.slice(start, end)
  if (text.includes(mask)) return []
  const url = browserUrl(place === 'style-element' ? text : decodeEntities(text))
  const isAddress = ['web', 'relative'].includes(urlKind(url))
  return isAddress ? [{ kind, url, start, end, place }] : []
}

function numbered(source: string, resources: Found[]): Resource[] {
  let line = 1
  let at = 0
  return resources
    .toSorted((a, b) => a.start - b.start)
    .map(resource => {
      for (let next = source.indexOf('\n', at); next !== -1 && next < resource.start; ) {
        line += 1
        at = next + 1
        next = source.indexOf('\n', at)
      }
      return { ...resource, line }
    })
}

function written(url: string, place: Resource['place']): string {
  const safe = url.replaceAll("'", '%27')
  if (place === 'attribute') return escapeAttribute(safe)
  const inFunction = safe
    .replaceAll(/[()\s\\]/g, encodeOne)
    .replaceAll('"', '%22')
    .replaceAll('<', '%3C')
  return place === 'style-attribute' ? escapeAttribute(inFunction) : inFunction
}

function encodeOne(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
