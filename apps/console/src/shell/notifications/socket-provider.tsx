import { type Socket, createSocket } from '@emma/client/socket.ts'
import type { SocketData, SocketMessageType } from '@emma/contract/socket.ts'
import { type ReactNode, createContext, use, useEffect, useRef, useState } from 'react'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { session } from '../session/api.ts'
import { socketAddress } from '../session/api-host.ts'
import { unreachableId } from '../i18n/error-text.ts'
import { sessionStore } from '../session/session-store.ts'

const Context = createContext<Socket | null>(null)

/** Keeps a socket to the server open while a user is logged in (R291). */
export function SocketProvider({ children }: { children: ReactNode }): ReactNode {
  const [socket] = useState(() =>
    createSocket({
      target: () => {
        const token = session.token()
        // The demo runs in the browser, so the server has nothing to report.
        return token === null || sessionStore.get().isDemo ? null : { url: socketAddress(), token }
      },
    }),
  )
  useEffect(() => {
    // The server is reachable again, possibly after a restart for which the browser fired no `online` event.
    const forget = socket.onOpen(() => notify.close(unreachableId))
    socket.open()
    return () => {
      forget()
      socket.close()
    }
  }, [socket])
  return <Context value={socket}>{children}</Context>
}

/** Subscribes to the server's messages of a type while the component is mounted. */
export function useSocketMessage<T extends SocketMessageType>(
  type: T,
  listener: (data: SocketData<T>) => void,
): void {
  const socket = use(Context)
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => socket?.on(type, data => latest.current(data)), [socket, type])
}

/** Calls the listener each time the connection opens, the first time included. */
export function useSocketOpen(listener: () => void): void {
  const socket = use(Context)
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => socket?.onOpen(() => latest.current()), [socket])
}
