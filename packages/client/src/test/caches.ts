import type { CacheHost } from '../response-cache.ts'

/** The browser's Cache Storage in memory, for tests of this package. */
export function memoryCaches(): CacheHost & { urls(): string[] } {
  let entries = new Map<string, Response>()
  const addressOf = (request: RequestInfo | URL) =>
    request instanceof Request ? request.url : String(request)
  return {
    open: async () => ({
      match: async request => entries.get(addressOf(request))?.clone(),
      put: async (request, response) => void entries.set(addressOf(request), response),
      delete: async request => entries.delete(addressOf(request)),
      keys: async () => [...entries.keys()].map(url => new Request(url)),
    }),
    delete: async () => {
      entries = new Map()
      return true
    },
    urls: () => [...entries.keys()],
  }
}
