import { fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { asksForPassword } from '@emma/mail/template/find-resources.ts'
import { decodeSource } from '@emma/mail/template/read-source.ts'
import { CollectError } from '../../network/collect-bytes.ts'
import { IMPORT_LIMITS } from '../../network/limits.ts'
import type { Origin } from './import-template.ts'
import { guardedFetch, type Reach, RefusedAddressError } from '../../provider/guarded-fetch.ts'

/** A page as it was answered. */
export interface Page {
  source: string
  /** After redirects. */
  url: string
}

/** Most redirects of a page, an image or a feed (R249). */
export const REDIRECTS = 3

/**
 * Opens a page from public addresses only, also after redirects (R249).
 * @throws EmmaError `invalid` in the field `url`: private address, no answer, no HTML, too large, a login page
 */
export async function fetchPage(url: string, reach: Reach): Promise<Page> {
  const most = IMPORT_LIMITS.pageBytes
  const answer = await fetchFollowing(url, reach, { most, timeout: IMPORT_LIMITS.pageTimeoutMs }).catch(
    (error: unknown) => {
      if (isRefused(error)) throw invalid([fieldError('url', 'import.address', { url })])
      if (error instanceof RedirectError)
        throw invalid([fieldError('url', 'import.redirects', { url, max: REDIRECTS })])
      if (error instanceof CollectError && error.reason === 'too large')
        throw invalid([fieldError('url', 'import.page_size', { url, max: most / 1_048_576 })])
      throw invalid([fieldError('url', 'import.unreachable', { url })])
    },
  )
  const { response } = answer
  if (response.status === 401 || response.status === 403)
    throw invalid([fieldError('url', 'import.login', { url })])
  if (!response.ok) throw invalid([fieldError('url', 'import.status', { url, status: response.status })])
  const type = response.headers.get('content-type') ?? ''
  if (!/^(?:text\/(?:html|plain|xml|mjml)|application\/xhtml\+xml)\b/i.test(type))
    throw invalid([fieldError('url', 'import.page_type', { url, type: type.slice(0, 100) || '?' })])
  const charset = /charset\s*=\s*["']?([\w-]{2,40})/i.exec(type)?.[1]
  const source = decodeSource(new Uint8Array(await response.arrayBuffer()), charset)
  if (asksForPassword(source)) throw invalid([fieldError('url', 'import.login', { url })])
  return { source, url: answer.url }
}

/** A page as the origin of an import. Its images come from the web. */
export function originOfPage({ source, url }: { source: string; url: string | null }, reach: Reach): Origin {
  return {
    source,
    url,
    warnings: [],
    async readImage(address, timeout) {
      if (!/^https?:/i.test(address)) return null
      const image = await fetchImage(address, reach, { most: IMPORT_LIMITS.pageBytes, timeout })
      return image && { ...image, name: URL.parse(address)?.pathname ?? '' }
    },
    missing: (line, address) => fault('import.image_unreachable', { line, url: address }),
  }
}

/** Fetches an image of a page; null if it cannot be fetched. */
async function fetchImage(
  url: string,
  reach: Reach,
  limits: { most: number; timeout: number },
): Promise<{ bytes: Buffer; type: string } | null> {
  const answer = await fetchFollowing(url, reach, limits).catch(() => null)
  if (!answer?.response.ok) return null
  const type = answer.response.headers.get('content-type') ?? ''
  return { bytes: Buffer.from(await answer.response.arrayBuffer()), type }
}

export class RedirectError extends Error {
  override name = 'RedirectError'
}

/**
 * Each redirect is checked like the first address, all within one time.
 *
 * @param credentials headers that only the first address's scheme, host and port get
 */
export async function fetchFollowing(
  first: string,
  reach: Reach,
  limits: { most: number; timeout: number },
  credentials: Readonly<Record<string, string>> = {},
): Promise<{ response: Response; url: string }> {
  const get = guardedFetch(reach, limits)
  const signal = AbortSignal.timeout(limits.timeout)
  const { origin } = new URL(first)
  let url = first
  for (let followed = 0; followed <= REDIRECTS; followed++) {
    const own = new URL(url).origin === origin ? credentials : {}
    const response = await get(url, { method: 'GET', signal, headers: { accept: '*/*', ...own } })
    const location = response.headers.get('location')
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return { response, url }
    const next = URL.parse(location, url)
    if (!next || !/^https?:$/.test(next.protocol))
      throw new RefusedAddressError(`${location} is not followed`)
    url = next.href
  }
  throw new RedirectError()
}

/** Whether an address was refused for being private. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof RefusedAddressError || isRefused(error.cause)
}
