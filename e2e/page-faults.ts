import type { BrowserContext, Page } from 'playwright-core'

const faults: string[] = []
const allowed: RegExp[] = []

/** Console errors that repeat a failed response or socket; responses are judged by their status. */
const repeated = /^(?:Failed to load resource|WebSocket connection to )/

/** Records page errors, console errors and responses from 500 on of all pages of a context. */
export function watchFaults(context: BrowserContext): void {
  context.on('weberror', fault => record(fault.page(), fault.error().message))
  context.on('console', message => {
    const text = `${message.text()} ${message.location().url}`
    if (message.type() === 'error' && !repeated.test(text)) record(message.page(), text)
  })
  context.on('response', response => {
    // 503 with Retry-After: the server is busy, and the console retries.
    const isBusy = response.status() === 503 && 'retry-after' in response.headers()
    if (response.status() >= 500 && !isBusy) faults.push(`${response.status()} ${response.url()}`)
  })
}

/** Faults that the running test expects. */
export function allowFaults(...patterns: RegExp[]): void {
  allowed.push(...patterns)
}

/** Faults since the last call, without those allowed since then. */
export function takeFaults(): string[] {
  const patterns = allowed.splice(0)
  return faults.splice(0).filter(fault => !patterns.some(pattern => pattern.test(fault)))
}

function record(page: Page | null, text: string): void {
  // Init scripts run on the blank page as well, which has no storage.
  if (page?.url() === 'about:blank') return
  faults.push(`${page ? new URL(page.url()).pathname : ''} ${text}`)
}
