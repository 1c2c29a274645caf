import { mask } from '../template/scan-liquid.ts'

/**
 * Kind of a URL in a message. `web`: http or https, trackable · `template`: begins with a placeholder, trackable if
 * it resolves · `contact`: mailto:, tel:, sms: · `anchor`: #… · `dangerous`: would run code or open something on the
 * reader's device.
 */
export type UrlKind =
  | 'web'
  | 'template'
  | 'contact'
  | 'anchor'
  | 'empty'
  | 'relative'
  | 'foreign'
  | 'unsupported'
  | 'dangerous'

/**
 * Classifies a URL as a browser would read it.
 * @param url with entities decoded and Liquid masked
 */
export function urlKind(url: string): UrlKind {
  const clean = browserUrl(url)
  if (clean === '') return 'empty'
  if (clean.startsWith('#')) return 'anchor'
  if (clean.startsWith(mask)) return 'template'
  if (foreignTag.test(clean)) return 'foreign'
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(clean)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'relative'
  if (scheme === 'http' || scheme === 'https') return isCompleteWebUrl(clean) ? 'web' : 'relative'
  if (contactSchemes.has(scheme)) return 'contact'
  return dangerousSchemes.has(scheme) ? 'dangerous' : 'unsupported'
}

/**
 * Removes what browsers ignore: leading control characters and blanks, and tabs and line breaks anywhere (WHATWG URL,
 * section 4.4).
 */
export function browserUrl(url: string): string {
  return url
    .replace(leadingBlanks, '')
    .trimEnd()
    .replaceAll(/[\t\r\n]/g, '')
}

// oxlint-disable-next-line no-control-regex -- they hide schemes
const leadingBlanks = /^[\u0000-\u0020\u00a0]+/

/** Leading merge tags of other programs: `*|X|*`, `[[X]]`, `%%x%%`, `%recipient.x%`, `[X]`. */
const foreignTag = /^(?:\*\|[^|]*\|\*|\[\[?[\w:.-]+\]?\]|%%[\w.-]+%%|%[\w.-]+%)/

const contactSchemes = new Set([
  'mailto',
  'tel',
  'sms',
  'callto',
  'facetime',
  'geo',
  'webcal',
  'whatsapp',
  'skype',
  'cid',
])

const dangerousSchemes = new Set(['javascript', 'vbscript', 'data', 'file', 'blob', 'livescript', 'mhtml'])

function isCompleteWebUrl(url: string): boolean {
  return /^https?:\/\/[^/?#\s]/i.test(url)
}
