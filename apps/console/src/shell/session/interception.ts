/** Answers a call instead of the server; `null` sends it to the server. */
export type Interceptor = (request: Request, path: string) => Promise<Response | null>

const network = globalThis.fetch.bind(globalThis)
const uploader = globalThis.XMLHttpRequest

/**
 * Passes every API call to the interceptor first (R306). Uploads use XMLHttpRequest for progress and fall back to fetch
 * without it, so it is removed.
 */
export function interceptCalls(apiHost: string, interceptor: Interceptor): void {
  const prefix = `${apiHost}/`
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith(prefix)) return network(input, init)
    const request = new Request(input, init)
    const { pathname } = new URL(url)
    const answer = await interceptor(request, pathname.slice(new URL(apiHost).pathname.length))
    return answer ?? network(request)
  }
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest')
}

/** Sends calls to the server again. */
export function endInterception(): void {
  globalThis.fetch = network
  globalThis.XMLHttpRequest = uploader
}
