import { readSession, sessionEnded } from '@emma/core/account/sessions.ts'
import { socketToken } from '@emma/contract/socket.ts'
import { type Push, subscribe } from '@emma/db/notify.ts'
import type { WebSocket } from '@fastify/websocket'
import { z } from 'zod'
import { SOCKET_LIMITS } from '../network/limits.ts'
import { PlaceLimit } from '../network/concurrency-limit.ts'
import type { Http } from './http.ts'
import { sessionKey } from './read-actor.ts'

interface Listener {
  socket: WebSocket
  /** Session id: the socket ends with its session. */
  jti: string
  userId: number
  clientIds: readonly number[] | 'all'
  holds: (permission: string) => boolean
}

/**
 * Mounts the live events (R291): `/api/socket`, with the session's token as a subprotocol. It ends with the token. A
 * console receives events of its clients and its user only.
 */
export async function mountSocket(http: Http, databaseUrl: string): Promise<() => Promise<void>> {
  const { app, db, config, logger } = http
  const listeners = new Set<Listener>()
  const places = new PlaceLimit({ total: SOCKET_LIMITS.total, perKey: SOCKET_LIMITS.perUser })
  /**
   * Events that arrive while a token is checked: the console's connection is open, and it has already loaded its
   * data.
   */
  const arrivals = new Set<Push[]>()
  const hear = (push: Push) => {
    pass(listeners, push)
    for (const missed of arrivals) missed.push(push)
  }
  const subscription = await subscribe(databaseUrl, hear, {
    onError: error => logger.warn({ err: error }, 'database notifications are interrupted'),
  })

  app.get('/api/socket', { websocket: true }, async (socket, request) => {
    const token = socketToken(request.headers['sec-websocket-protocol'])
    const missed: Push[] = []
    socket.on('error', () => socket.terminate())
    // RFC 6455, 7.4.1 and the IANA registry: try again later.
    if (arrivals.size + places.taken >= SOCKET_LIMITS.total) return socket.close(1013, 'Too many sockets')
    arrivals.add(missed)
    try {
      const { actor, claims } = await readSession(db, sessionKey(config), token)
      const release = places.take(String(actor.userId))
      if (!release) return socket.close(1013, 'Too many sockets')
      socket.on('close', release)
      const listener: Listener = {
        socket,
        jti: claims.jti,
        userId: actor.userId ?? 0,
        // Users who still need a second factor receive no client events.
        clientIds: claims.second_factor_missing ? [] : actor.clientIds,
        holds: permission => actor.superadmin || actor.permissions.has(permission),
      }
      // Closed meanwhile: no close event would follow.
      if (socket.readyState !== socket.OPEN) return release()
      listeners.add(listener)
      const expiry = setTimeout(() => socket.close(1008, 'Expired token'), claims.exp * 1000 - Date.now())
      socket.on('close', () => {
        clearTimeout(expiry)
        listeners.delete(listener)
      })
      for (const push of missed) pass([listener], push)
    } catch {
      // RFC 6455, 7.4.1: policy violation.
      socket.close(1008, 'No token found!')
    } finally {
      arrivals.delete(missed)
    }
  })

  return async () => {
    for (const { socket } of listeners) socket.close(1001)
    await subscription.stop()
  }
}

function pass(listeners: Iterable<Listener>, push: Push): void {
  if (push.type === sessionEnded) return end(listeners, push.data)
  const frame = JSON.stringify({ type: push.type, data: push.data })
  for (const { socket, userId, clientIds, holds } of listeners) {
    if (push.user_id !== undefined && push.user_id !== userId) continue
    if (push.permission !== undefined && !holds(push.permission)) continue
    if (push.client_id !== null && clientIds !== 'all' && !clientIds.includes(push.client_id)) continue
    // A console that does not read must not exhaust the memory.
    if (socket.bufferedAmount < SOCKET_LIMITS.unsentBytes) socket.send(frame)
  }
}

/** Closes the sockets of ended sessions. */
function end(listeners: Iterable<Listener>, data: unknown): void {
  const { jtis } = ended.parse(data)
  for (const { socket, jti } of listeners) if (jtis.includes(jti)) socket.close(1008, 'Expired token')
}

const ended = z.object({ jtis: z.array(z.string()) })
