/** Messages between tabs of one browser (R292). */
export type TabMessage = 'LOGOUT' | 'RESTART'

// One channel for sending and receiving: a channel does not receive its own messages, but those of another channel in
// the same tab.
const channel = new BroadcastChannel('emma-tabs')

/** Sends a message to all other tabs. */
export function tellTabs(message: TabMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage(message)
}

/** Handles messages of other tabs. @throws Error on an unknown message */
export function hearTabs(handle: Record<TabMessage, () => void>): void {
  channel.addEventListener('message', event => handle[readTabMessage(event.data)]())
}

/** @throws Error `Unknown message type: …` */
function readTabMessage(data: unknown): TabMessage {
  if (data === 'LOGOUT' || data === 'RESTART') return data
  throw new Error(`Unknown message type: ${JSON.stringify(data)}`)
}
