/** Kinds of messages the server sends; others are ignored. */
export const socketMessageTypes = [
  'ERROR',
  'NOTIFICATION',
  'CAMPAIGN_PROGRESS',
  'CAMPAIGN_STATUS',
  'JOB_PROGRESS',
  'DOWNLOAD_READY',
  'ALERT',
  'MOTD',
] as const

export type SocketMessageType = (typeof socketMessageTypes)[number]

export interface SocketMessage {
  type: SocketMessageType
  data: unknown
}

export interface SocketOptions {
  /** Address with its token, or `null` when nobody is logged in (tried again later). */
  url: () => string | null
  /** Wait before the first connection (R291). */
  firstDelayMs?: number
  /** Wait before each further one. */
  retryDelayMs?: number
}

export interface Socket {
  /** Calls `listener` for every message of the type; the answer ends that. */
  on(type: SocketMessageType, listener: (data: unknown) => void): () => void
  close(): void
}

/** A connection that comes back by itself: first after 5 s, after a loss every 60 s. */
export function openSocket({ url, firstDelayMs = 5000, retryDelayMs = 60_000 }: SocketOptions): Socket {
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  let connection: WebSocket | undefined
  let isClosed = false
  let timer = setTimeout(connect, firstDelayMs)

  function connect(): void {
    const address = url()
    if (address === null) return later()
    connection = new WebSocket(address)
    connection.addEventListener('message', event => deliver(event.data))
    // A connection that fails closes as well: one way back for both.
    connection.addEventListener('close', later)
  }

  function later(): void {
    if (!isClosed) timer = setTimeout(connect, retryDelayMs)
  }

  function deliver(text: unknown): void {
    const message = readMessage(text)
    if (!message) return
    for (const listener of listeners.get(message.type) ?? []) listener(message.data)
  }

  return {
    on(type, listener) {
      const known = listeners.get(type) ?? new Set()
      listeners.set(type, known.add(listener))
      return () => known.delete(listener)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      connection?.close()
    },
  }
}

/** A frame's message, or nothing when it is none that is known. */
export function readMessage(text: unknown): SocketMessage | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message !== 'object' || message === null || !('type' in message)) return undefined
    const type = socketMessageTypes.find(known => known === message.type)
    return type && { type, data: 'data' in message ? message.data : null }
  } catch {
    return undefined
  }
}
