import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import { compileSegments } from '../template/compile-segments.ts'
import { liquidEngine } from '../template/liquid-engine.ts'
import { endsWithFilter, writeUrlValues } from './url-values.ts'

/** Thrown if a tracked link cannot be resolved for a recipient; the page shown instead displays the message. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
}

/**
 * Returns the URL of a tracked link for one recipient. Merged values are percent-encoded, except at the beginning of
 * the URL (`{{ member.shop_url }}`), with `| url_encode`, or, after a constant host, with `| raw`. The result is an
 * absolute http or https URL in ASCII, safe as a Location header.
 * @param linkTemplate the `url` of a link row
 * @throws LinkError if the result is not an http or https URL, or the data does not fit the template
 */
export function resolveLink(linkTemplate: string, data: MergeData): string {
  const written = linkTemplate.includes('{') ? renderLink(linkTemplate, data) : linkTemplate
  const url = URL.parse(written.trim())
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new LinkError('This link does not lead to a web page.')
  }
  // `https://shop.example@evil.example` displays one host and leads to another.
  const isMerged = written !== linkTemplate
  if (isMerged && (url.username !== '' || url.password !== '' || hidesHost(linkTemplate, written, url.href)))
    throw new LinkError('This link does not lead to a web page.')
  return url.href
}

/** URL.parse silently drops tabs and line breaks. */
function hidesHost(linkTemplate: string, written: string, target: string): boolean {
  return CONTROL.test(written.trim()) && !isWrittenHost(linkTemplate, target)
}

// oxlint-disable-next-line no-control-regex -- they hide hosts
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * True if the host of a resolved link is constant in its template and not merged from data. Only then may a click be
 * redirected at once; otherwise a member's field could redirect the tracking host to any site.
 * @param target a result of `resolveLink`
 */
export function isWrittenHost(linkTemplate: string, target: string): boolean {
  const { host } = new URL(target)
  // A host that ends in a merged value is not constant.
  const written = linkTemplate.matchAll(/https?:\/\/([^/?#\s"'{}|\\<>]+)(?=[/?#\s"'|\\<>]|\{%|$)/gi)
  return [...written].some(([address]) => URL.parse(address)?.host === host)
}

function renderLink(linkTemplate: string, data: MergeData): string {
  try {
    return renderSegments(compiledLink(linkTemplate), data)
  } catch (error) {
    throw new LinkError('This link cannot be followed for this recipient.', { cause: error })
  }
}

const compiled = new Map<string, Segments>()

/** Compiled links are few (a hundred per campaign) and clicked often. */
const maxCompiled = 2_000

function compiledLink(linkTemplate: string): Segments {
  const known = compiled.get(linkTemplate)
  if (known) return known
  const engine = liquidEngine('url', { language: 'en', timeZone: 'UTC' })
  const made = compileSegments(engine, engine.liquid.parse(encodeValues(linkTemplate)))
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(linkTemplate, made)
  return made
}

/** Values at the beginning are inserted unchanged; the resolved URL is checked afterwards. */
function encodeValues(linkTemplate: string): string {
  return writeUrlValues(linkTemplate, (value, position) => {
    const isEncoded = position === 'start' || endsWithFilter(value, 'url_encode')
    const isWanted = position === 'rest' && endsWithFilter(value, 'raw')
    return isEncoded || isWanted ? `{{ ${value} | as_it_is }}` : `{{ ${value} }}`
  })
}
