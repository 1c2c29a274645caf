import { esps } from '@emma/contract/resources/esp-login.ts'

const path = new RegExp(`^/api/emma/(${esps.join('|')})/(login|sendfromid|replacer)(/\\d*)?/?(\\?.*)?$`)

/**
 * Maps the specification's paths by ESP, `/emma/{esp}/login/` (R219–R221), to the records under `/emma/esp-login/`,
 * with lists filtered by ESP.
 */
export function espPath(url: string): string {
  const { 1: esp, 2: kind, 3: id = '/', 4: query = '' } = path.exec(url) ?? []
  if (esp === undefined) return url
  const narrowed = id === '/' ? `${query === '' ? '?' : `${query}&`}esp=${esp}` : query
  return `/api/emma/esp-${kind}${id}${narrowed}`
}
