import { esps } from '@emma/contract/resources/esp-login.ts'

const path = new RegExp(`^/api/emma/(${esps.join('|')})/(login|sendfromid|replacer)(/\\d*)?/?(\\?.*)?$`)

/**
 * The specification names logins, senders and replacers by their service, `/emma/{esp}/login/` (R219–R221): the same
 * records as under `/emma/esp-login/`, lists narrowed to the service.
 */
export function espPath(url: string): string {
  const { 1: esp, 2: kind, 3: id = '/', 4: query = '' } = path.exec(url) ?? []
  if (esp === undefined) return url
  const narrowed = id === '/' ? `${query === '' ? '?' : `${query}&`}esp=${esp}` : query
  return `/api/emma/esp-${kind}${id}${narrowed}`
}
