/**
 * The public addresses of a mail. `base` is the tracking host of the sending domain with scheme, without a slash
 * at the end (`https://news.example.com`); `token` is the mail's signed token (token.ts), safe in a path as it is.
 */

/** The open pixel: a 1×1 GIF. */
export function openUrl(base: string, token: string): string {
  return `${base}/t/o/${token}.gif`
}

/** A tracked link; the index is the row of the link table and stands in clear (it is worthless without a token). */
export function clickUrl(base: string, token: string, index: number): string {
  return `${base}/t/c/${token}/${index}`
}

/** The mail as a web page. */
export function browserUrl(base: string, token: string): string {
  return `${base}/t/b/${token}`
}

/** Unsubscribe: GET shows the page, POST acts; the same address takes the one-click POST of RFC 8058. */
export function unsubscribeUrl(base: string, token: string): string {
  return `${base}/u/${token}`
}

/** The preference page. */
export function preferencesUrl(base: string, token: string): string {
  return `${base}/u/${token}/preferences`
}

/** The confirmation page of a double opt-in: GET shows, POST confirms (scanners fetch every link of a mail). */
export function doiUrl(base: string, token: string): string {
  return `${base}/u/${token}/confirm`
}

/**
 * Checks and normalises the base of all public addresses: scheme and host (and a path, if any), no slash at the end.
 * @throws TypeError when it is no http or https address
 */
export function trackingBase(url: string): string {
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw new TypeError(`${url} is no http or https address`)
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
}
