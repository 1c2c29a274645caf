import {
  type SocketData,
  type SocketMessageType,
  socketMessages,
  socketProtocols,
} from '@emma/contract/socket.ts'

export interface SocketOptions {
  /** URL, and token of the session; `null` if nobody is logged in (retried later). */
  target: () => { url: string; token: string } | null
  /** Milliseconds before the first connection (R291). */
  firstDelayMs?: number
  /** Milliseconds before each further one. */
  retryDelayMs?: number
}

export interface Socket {
  /** Calls `listener` for every message of the type; returns a function that unsubscribes. */
  on<T extends SocketMessageType>(type: T, listener: (data: SocketData<T>) => void): () => void
  /** Calls `listener` each time the connection opens: messages in between were lost. */
  onOpen(listener: () => void): () => void
  open(): void
  close(): void
}

/** Creates a connection that reopens automatically: first after 5 s, after a loss every 60 s. */
export function createSocket({ target, firstDelayMs = 5000, retryDelayMs = 60_000 }: SocketOptions): Socket {
  const hub = new EventTarget()
  let connection: WebSocket | undefined
  let isOpen = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    const current = target()
    if (current === null) return later()
    connection = new WebSocket(current.url, socketProtocols(current.token))
    connection.addEventListener('open', () => hub.dispatchEvent(new Event('open')))
    connection.addEventListener('message', event => deliver(event.data))
    // A failed connection also closes: one handler for both.
    connection.addEventListener('close', later)
  }

  function later(): void {
    if (isOpen) timer = setTimeout(connect, retryDelayMs)
  }

  function deliver(frame: unknown): void {
    const message = readFrame(frame)
    if (message) hub.dispatchEvent(new CustomEvent(message.type, { detail: message.data }))
  }

  return {
    on(type, listener) {
      const hear = (event: Event) => {
        const data: unknown = event instanceof CustomEvent ? event.detail : undefined
        const parsed = socketMessages[type].safeParse(data)
        // Invalid messages are ignored.
        if (parsed.success) listener(parsed.data as SocketData<typeof type>)
      }
      hub.addEventListener(type, hear)
      return () => hub.removeEventListener(type, hear)
    },
    onOpen(listener) {
      hub.addEventListener('open', listener)
      return () => hub.removeEventListener('open', listener)
    },
    open() {
      if (isOpen) return
      isOpen = true
      timer = setTimeout(connect, firstDelayMs)
    },
    close() {
      isOpen = false
      clearTimeout(timer)
      connection?.close()
    },
  }
}

/** Parses the type and data of a frame; undefined for unknown types and invalid frames. */
export function readFrame(frame: unknown): { type: SocketMessageType; data: unknown } | undefined {
  if (typeof frame !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(frame)
    if (typeof message !== 'object' || message === null || !('type' in message)) return undefined
    const { type } = message
    return isKnown(type) ? { type, data: 'data' in message ? message.data : null } : undefined
  } catch {
    return undefined
  }
}

function isKnown(type: unknown): type is SocketMessageType {
  return typeof type === 'string' && Object.hasOwn(socketMessages, type)
}
