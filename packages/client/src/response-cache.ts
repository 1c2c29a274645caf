/** Name of the Cache Storage for responses of GET calls (R166). */
const cacheName = 'api-brm'

/** Older responses are requested again, because other users may have written. */
const maxAgeMs = 60_000

/** The used part of the browser's CacheStorage. */
export interface CacheHost {
  open(name: string): Promise<Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>>
  delete(name: string): Promise<boolean>
}

/** Time and scope of a request. */
export interface Moment {
  scope: string
  changes: number
}

export interface ResponseCache {
  read(url: string): Promise<Response | undefined>
  /** Call before sending a request. */
  moment(): Moment
  /**
   * Stores a copy of a response under the names of its resources, unless it is outdated: a resource was written, or
   * the user or client changed, after the request.
   */
  keep(url: string, response: Response, names: readonly string[], requestedAt: Moment): Promise<void>
  /** Evicts every response with one of the resources or something that depends on them (R167). */
  evict(names: readonly string[]): Promise<void>
  /** Clears the cache: at start, login, logout, client switch and view-as (T13, T13a). */
  clear(): Promise<void>
}

/**
 * Creates the `api-brm` cache. `scope` identifies user and client (token subject + client, T13a): responses of others
 * are never read. Without Cache Storage (an insecure origin) nothing is cached.
 */
export function createResponseCache(
  scope: () => string,
  host: CacheHost | undefined = browserCaches(),
): ResponseCache {
  const keyOf = (url: string) =>
    `${url}${url.includes('?') ? '&' : '?'}cache-scope=${encodeURIComponent(scope())}`
  let changes = 0
  let clearedAt = 0
  const evictedAt = new Map<string, number>()
  const isOutOfDate = (names: readonly string[], requestedAt: Moment) =>
    requestedAt.scope !== scope() ||
    [clearedAt, ...names.map(name => evictedAt.get(name) ?? 0)].some(at => at > requestedAt.changes)
  return {
    moment: () => ({ scope: scope(), changes }),
    async read(url) {
      const cache = await host?.open(cacheName)
      const kept = await cache?.match(keyOf(url))
      return kept && Date.now() - Number(kept.headers.get('x-kept-at')) < maxAgeMs ? kept : undefined
    },
    async keep(url, response, names, requestedAt) {
      const cache = await host?.open(cacheName)
      const headers = new Headers(response.headers)
      headers.set('x-kept-at', String(Date.now()))
      headers.set('x-names', names.join(' '))
      const kept = new Response(await response.blob(), { status: response.status, headers })
      if (!isOutOfDate(names, requestedAt)) await cache?.put(keyOf(url), kept)
    },
    async evict(names) {
      const stale = new Set(names.flatMap(withDependents))
      changes += 1
      for (const name of stale) evictedAt.set(name, changes)
      const cache = await host?.open(cacheName)
      if (!cache) return
      for (const request of await cache.keys()) {
        const kept = await cache.match(request)
        const shown = kept?.headers.get('x-names')?.split(' ') ?? []
        if (shown.some(name => stale.has(name))) await cache.delete(request)
      }
    },
    async clear() {
      changes += 1
      clearedAt = changes
      await host?.delete(cacheName)
    },
  }
}

/**
 * Returns the names of a response (R168): the fixed words of its path (`/emma/message/7/render/3` has message and
 * render) and the resources merged into it.
 */
export function namesOfPath(path: string, included: readonly string[] = []): string[] {
  const words = path
    .replace(/^\/v2\/emma\/client\/\{client_id\}/, '')
    .replaceAll(/\{\w+\}/g, '')
    .split(/[/:]/)
    .filter(word => word !== '' && word !== 'v2' && word !== 'emma')
  return [...new Set([...words, ...included])]
}

/** Resources that include data of a resource, and are evicted with it. */
const dependents: Record<string, readonly string[]> = {
  campaign: ['report', 'subreport', 'testcampaign', 'recurring'],
  message: ['render', 'templates', 'campaign', 'transactionalcampaign'],
  templates: ['render', 'message', 'campaign', 'transactionalcampaign'],
  placeholder: ['render', 'message', 'templates'],
  member: ['render', 'list', 'membertable'],
  membertable: ['member', 'list', 'dataupload'],
  dataupload: ['member', 'membertable', 'list', 'blacklist', 'multiblacklist'],
  multiblacklist: ['blacklist'],
  blacklist: ['multiblacklist'],
  domain: ['campaign', 'transactionalcampaign'],
  mailclass: ['campaign', 'transactionalcampaign'],
  role: ['user', 'permission'],
}

function withDependents(name: string): string[] {
  return [name, ...(dependents[name] ?? [])]
}

function browserCaches(): CacheHost | undefined {
  return typeof caches === 'undefined' ? undefined : caches
}
