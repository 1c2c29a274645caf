import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import { compileSegments } from '../template/compile-segments.ts'
import { liquidEngine } from '../template/liquid-engine.ts'
import { endsWithFilter, writeUrlValues } from './url-values.ts'

/** A tracked link leads nowhere for this recipient: the message is for the page that is shown instead. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
}

/**
 * The address a tracked link leads to, for one recipient. Merged values are percent-encoded, except where they are
 * the beginning of the address (`{{ member.shop_url }}`), ended by `| url_encode`, or, after a constant host, by
 * `| raw`. The result is an absolute http or https address in ASCII, safe as a Location header.
 * @param linkTemplate the `url` of a link row
 * @throws LinkError when the result is no http or https address, or the data does not fit the template
 */
export function resolveLink(linkTemplate: string, data: MergeData): string {
  const written = linkTemplate.includes('{') ? renderLink(linkTemplate, data) : linkTemplate
  const url = URL.parse(written.trim())
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new LinkError('This link does not lead to a web page.')
  }
  // `https://shop.example@evil.example` shows one host and leads to another.
  const isMerged = written !== linkTemplate
  if (isMerged && (url.username !== '' || url.password !== '' || hidesHost(linkTemplate, written, url.href)))
    throw new LinkError('This link does not lead to a web page.')
  return url.href
}

/** URL.parse drops tabs and line breaks without a word. */
function hidesHost(linkTemplate: string, written: string, target: string): boolean {
  return CONTROL.test(written.trim()) && !isWrittenHost(linkTemplate, target)
}

// oxlint-disable-next-line no-control-regex -- they hide hosts
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Whether the host of a resolved link is written in its template, and not merged from data: only then a click may be
 * redirected at once. Otherwise a tracking host would lead wherever the field of a member says.
 * @param target as `resolveLink` gives it
 */
export function isWrittenHost(linkTemplate: string, target: string): boolean {
  const { host } = new URL(target)
  // A host that ends in a merged value is none that was written.
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

/** Compiled links are few (a hundred in a campaign) and clicked often. */
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

/** Values at the beginning are inserted as they are: the check of the finished address decides about them. */
function encodeValues(linkTemplate: string): string {
  return writeUrlValues(linkTemplate, (value, position) => {
    const isEncoded = position === 'start' || endsWithFilter(value, 'url_encode')
    const isWanted = position === 'rest' && endsWithFilter(value, 'raw')
    return isEncoded || isWanted ? `{{ ${value} | as_it_is }}` : `{{ ${value} }}`
  })
}
