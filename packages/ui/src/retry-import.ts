import './import-again.ts'

/** The first wait after an attempt in vain, in ms; each is twice the one before, up to the longest. */
const firstWait = 1000
const longestWait = 60_000

export interface RetryOptions {
  /** Ends the waiting; an attempt that is under way still counts. */
  signal?: AbortSignal
  /** Told of each attempt in vain. */
  onError?: () => void
}

/**
 * What a function fetches. When it cannot be had, it is asked for again: with the next connection, and from time to
 * time, since it may be the server that was away. For code that a page can do without for a while, where a failure
 * would take the page with it.
 *
 * @throws the signal's reason, once it has ended the waiting
 */
export async function retryImport<T>(
  fetch: () => Promise<T>,
  { signal, onError: onMiss }: RetryOptions = {},
): Promise<T> {
  addEventListener('error', noteLostStyle, { capture: true })
  for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
    try {
      if (lostStyles.size > 0) await Promise.all([...lostStyles].map(fetchStyle))
      return await fetch()
    } catch {
      onMiss?.()
      await nextChance(wait, signal)
    }
  }
}

function nextChance(wait: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(end, wait)
    addEventListener('online', end)
    signal?.addEventListener('abort', end)
    function end(): void {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}

/** Addresses of styles that did not come: the bundler asks for those of a piece of code only once. */
const lostStyles = new Set<string>()

function noteLostStyle({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target.href)
}

function fetchStyle(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => {
      lostStyles.delete(href)
      resolve()
    })
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${href} did not come`))
    })
    document.head.append(link)
  })
}
