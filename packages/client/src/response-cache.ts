/** Name of the Cache Storage that keeps answers of GET calls (R166). */
export const cacheName = 'api-brm'

/** Kept answers older than this are asked again: another person may have written meanwhile. */
const maxAgeMs = 60_000

/** The part of the browser's CacheStorage that is used here. */
export interface CacheHost {
  open(name: string): Promise<Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>>
  delete(name: string): Promise<boolean>
}

export interface ResponseCache {
  read(url: string): Promise<Response | undefined>
  /** Keeps a copy of an answer under what it shows: names of resources. */
  keep(url: string, response: Response, names: readonly string[]): Promise<void>
  /** Forgets every answer that shows one of the resources or something that depends on them (R167). */
  evict(names: readonly string[]): Promise<void>
  /** Forgets everything: at start, login, logout, client switch and view-as (T13, T13a). */
  clear(): Promise<void>
}

/**
 * The `api-brm` cache. `scope` names whose answers these are (token subject + client, T13a): answers of another
 * person are never read. Without Cache Storage (an insecure origin) nothing is kept and nothing breaks.
 */
export function createResponseCache(
  scope: () => string,
  host: CacheHost | undefined = browserCaches(),
): ResponseCache {
  const keyOf = (url: string) =>
    `${url}${url.includes('?') ? '&' : '?'}cache-scope=${encodeURIComponent(scope())}`
  return {
    async read(url) {
      const cache = await host?.open(cacheName)
      const kept = await cache?.match(keyOf(url))
      return kept && Date.now() - Number(kept.headers.get('x-kept-at')) < maxAgeMs ? kept : undefined
    },
    async keep(url, response, names) {
      const cache = await host?.open(cacheName)
      const headers = new Headers(response.headers)
      headers.set('x-kept-at', String(Date.now()))
      headers.set('x-names', names.join(' '))
      await cache?.put(keyOf(url), new Response(await response.blob(), { status: response.status, headers }))
    },
    async evict(names) {
      const cache = await host?.open(cacheName)
      if (!cache) return
      const stale = new Set(names.flatMap(withDependents))
      for (const request of await cache.keys()) {
        const kept = await cache.match(request)
        const shown = kept?.headers.get('x-names')?.split(' ') ?? []
        if (shown.some(name => stale.has(name))) await cache.delete(request)
      }
    },
    async clear() {
      await host?.delete(cacheName)
    },
  }
}

/**
 * The names an answer goes by (R168): the fixed words of its path (`/emma/message/7/render/3` shows message and
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

/** What else shows a resource's data, so that it goes stale with it. */
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
