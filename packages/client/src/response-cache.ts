/** Name of the Cache Storage that keeps answers of GET calls (R166). */
const cacheName = 'api-brm'

/** Kept answers older than this are asked again: another person may have written meanwhile. */
const maxAgeMs = 60_000

/** The part of the browser's CacheStorage that is used here. */
export interface CacheHost {
  open(name: string): Promise<Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>>
  delete(name: string): Promise<boolean>
}

/** When a question was asked, and for whom. */
export interface Moment {
  scope: string
  changes: number
}

export interface ResponseCache {
  read(url: string): Promise<Response | undefined>
  /** To be taken before a question is sent. */
  moment(): Moment
  /**
   * Keeps a copy of an answer under what it shows: names of resources. Not an answer that is out of date already: what
   * it shows was written, or somebody else went to work, after it was asked for.
   */
  keep(url: string, response: Response, names: readonly string[], asked: Moment): Promise<void>
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
  let changes = 0
  let clearedAt = 0
  const evictedAt = new Map<string, number>()
  const isOutOfDate = (names: readonly string[], asked: Moment) =>
    asked.scope !== scope() ||
    [clearedAt, ...names.map(name => evictedAt.get(name) ?? 0)].some(at => at > asked.changes)
  return {
    moment: () => ({ scope: scope(), changes }),
    async read(url) {
      const cache = await host?.open(cacheName)
      const kept = await cache?.match(keyOf(url))
      return kept && Date.now() - Number(kept.headers.get('x-kept-at')) < maxAgeMs ? kept : undefined
    },
    async keep(url, response, names, asked) {
      const cache = await host?.open(cacheName)
      const headers = new Headers(response.headers)
      headers.set('x-kept-at', String(Date.now()))
      headers.set('x-names', names.join(' '))
      const kept = new Response(await response.blob(), { status: response.status, headers })
      if (!isOutOfDate(names, asked)) await cache?.put(keyOf(url), kept)
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
