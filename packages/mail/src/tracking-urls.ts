/**
 * The public URLs of a message. `base` is the tracking host of the sending domain with scheme, without a trailing
 * slash (`https://news.example.com`); `token` is the message's signed token (token.ts), safe in a path.
 */

/** Open pixel: a 1×1 GIF. */
export function openUrl(base: string, token: string): string {
  return `${base}/t/o/${token}.gif`
}

/** Tracked link; the index is the row of the link table, unsigned (useless without a token). */
export function clickUrl(base: string, token: string, index: number): string {
  return `${base}/t/c/${token}/${index}`
}

/** Browser view of the message. */
export function browserUrl(base: string, token: string): string {
  return `${base}/t/b/${token}`
}

/** Unsubscribe page: GET displays it, POST unsubscribes, including the one-click POST of RFC 8058. */
export function unsubscribeUrl(base: string, token: string): string {
  return `${base}/u/${token}`
}

/** Preference page. */
export function preferencesUrl(base: string, token: string): string {
  return `${base}/u/${token}/preferences`
}

/** Confirmation page of a double opt-in: GET displays it, POST confirms (scanners fetch every link). */
export function doiUrl(base: string, token: string): string {
  return `${base}/u/${token}/confirm`
}

/**
 * Validates and normalizes the base of all public URLs: scheme and host (and a path, if any), no trailing slash.
 * @throws TypeError if it is not an http or https URL
 */
export function trackingBase(url: string): string {
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw new TypeError(`${url} is not an http or https URL`)
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
}
