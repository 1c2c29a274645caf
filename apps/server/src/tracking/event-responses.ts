/** A transparent 1×1 GIF. */
export const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Requested by messages on other hosts, never cached. */
export const OPEN_HEADERS = {
  'cache-control': 'no-store, private',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

/** The referrer must not reveal the token in the URL. */
export const CLICK_HEADERS = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
} as const
