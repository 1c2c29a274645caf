/** What tabs of one browser tell each other (R292). */
export type TabMessage = 'LOGOUT' | 'RESTART'

const channelName = 'emma-tabs'

/** Tells every other tab. */
export function tellTabs(message: TabMessage): void {
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage(message)
  channel.close()
}

/** Hears the other tabs; the answer ends that. @throws Error on an unknown message */
export function hearTabs(handle: Record<TabMessage, () => void>): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', event => handle[readTabMessage(event.data)]())
  return () => channel.close()
}

/** @throws Error `Unknown message type: …` */
export function readTabMessage(data: unknown): TabMessage {
  if (data === 'LOGOUT' || data === 'RESTART') return data
  throw new Error(`Unknown message type: ${JSON.stringify(data)}`)
}
