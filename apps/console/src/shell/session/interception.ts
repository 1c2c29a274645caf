/** Answers a call in the server's place; `null` lets it go to the server. */
export type Interceptor = (request: Request, path: string) => Promise<Response | null>

const network = globalThis.fetch.bind(globalThis)
const uploader = globalThis.XMLHttpRequest

/**
 * From now on every fetch of the API is shown to the interceptor first (R306). Uploads, which tell their progress by
 * XMLHttpRequest, take fetch where there is none: so there is none.
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

/** Calls go to the server again. */
export function endInterception(): void {
  globalThis.fetch = network
  globalThis.XMLHttpRequest = uploader
}
