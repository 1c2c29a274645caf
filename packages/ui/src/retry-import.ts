import './import-again.ts'

/** Delays between attempts in ms: the first one, doubled after each attempt up to the longest. */
const firstWait = 1000
const longestWait = 60_000

export interface RetryOptions {
  /** Stops the retries; an attempt in progress still counts. */
  signal?: AbortSignal
  /** Called after each failed attempt. */
  onError?: () => void
}

/**
 * Calls `fetch` until it succeeds: after a delay, or when the connection returns. For code that the page can do without
 * for a while.
 *
 * @throws the signal's reason after an abort
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

/** URLs of stylesheets that failed to load: the bundler requests each only once. */
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
