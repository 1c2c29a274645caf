/** What tabs of one browser tell each other (R292). */
export type TabMessage = 'LOGOUT' | 'RESTART'

// One channel for both directions: a channel does not hear itself, another one in the same tab would.
const channel = new BroadcastChannel('emma-tabs')

/** Tells every other tab. */
export function tellTabs(message: TabMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage(message)
}

/** Hears the other tabs. @throws Error on an unknown message */
export function hearTabs(handle: Record<TabMessage, () => void>): void {
  channel.addEventListener('message', event => handle[readTabMessage(event.data)]())
}

/** @throws Error `Unknown message type: …` */
function readTabMessage(data: unknown): TabMessage {
  if (data === 'LOGOUT' || data === 'RESTART') return data
  throw new Error(`Unknown message type: ${JSON.stringify(data)}`)
}
