/**
 * What a function fetches. When it cannot be had, it is asked for again with the next connection: for code that a page
 * can do without for a while, where a failure would take the page with it.
 */
export async function untilFetched<T>(fetch: () => Promise<T>): Promise<T> {
  try {
    return await fetch()
  } catch {
    await new Promise(resolve => addEventListener('online', resolve, { once: true }))
    return untilFetched(fetch)
  }
}
