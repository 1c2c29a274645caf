import {
  type SocketData,
  type SocketMessageType,
  socketMessages,
  socketProtocols,
} from '@emma/contract/socket.ts'

export interface SocketOptions {
  /** Address, and token of the session; `null` when nobody is logged in (tried again later). */
  target: () => { url: string; token: string } | null
  /** Wait before the first connection (R291). */
  firstDelayMs?: number
  /** Wait before each further one. */
  retryDelayMs?: number
}

export interface Socket {
  /** Calls `listener` for every message of the type; the answer ends that. */
  on<T extends SocketMessageType>(type: T, listener: (data: SocketData<T>) => void): () => void
  /** Calls `listener` each time the connection stands: what was told meanwhile has to be asked for. */
  onOpen(listener: () => void): () => void
  open(): void
  close(): void
}

/** A connection that, once opened, comes back by itself: first after 5 s, after a loss every 60 s. */
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
    // A connection that fails closes as well: one way back for both.
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
        // What a message carries is read by its contract; a broken one is none.
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

/** The type and data of a frame; nothing for frames of unknown types or none at all. */
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
