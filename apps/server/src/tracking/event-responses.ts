/** A transparent GIF of one pixel. */
export const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Asked for by mails on other hosts, each time anew. */
export const OPEN_HEADERS = {
  'cache-control': 'no-store, private',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

/** The token in the address stays between reader and this installation. */
export const CLICK_HEADERS = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
} as const
