import type { Server, Socket } from 'node:net'
import { addressGroup } from './address-group.ts'
import type { ConnectionLimits } from './limits.ts'
import type { IsTrustedProxy } from './trusted-proxies.ts'

const MINUTE_MS = 60_000

/** Maximum number of tracked address groups: an attacker with a large network must not exhaust the memory. */
const MOST_GROUPS = 50_000

interface Group {
  open: number
  opened: number
  until: number
}

/**
 * Limits a server's connections. The accept loop rejects those beyond the total; those beyond the limits of their
 * address are closed here, after `farewell` if given. Only the total applies to trusted proxies, which serve many
 * people. Call it after all other listeners of `connection` were added.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  { isTrustedProxy, farewell }: { isTrustedProxy: IsTrustedProxy; farewell?: string },
): void {
  const groups = new Map<string, Group>()
  const handlers = server.listeners('connection')
  server.maxConnections = limits.total
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!admit(socket)) return refuse(socket)
    for (const handler of handlers) Reflect.apply(handler, server, [socket])
  })

  function admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    if (isTrustedProxy(address)) return true
    const name = addressGroup(address)
    const now = Date.now()
    const group = groups.get(name) ?? { open: 0, opened: 0, until: now + MINUTE_MS }
    if (group.until <= now) Object.assign(group, { opened: 0, until: now + MINUTE_MS })
    if (group.open >= limits.perAddress || group.opened >= limits.perAddressMinute) return false
    if (!groups.has(name) && groups.size >= MOST_GROUPS && !forget(now)) return false
    group.open++
    group.opened++
    groups.set(name, group)
    socket.once('close', () => group.open--)
    return true
  }

  /** Removes groups without a connection whose minute is over. */
  function forget(now: number): boolean {
    for (const [name, { open, until }] of groups) if (open === 0 && until <= now) groups.delete(name)
    return groups.size < MOST_GROUPS
  }

  function refuse(socket: Socket): void {
    socket.on('error', () => {})
    if (farewell === undefined) return void socket.destroy()
    socket.write(farewell)
    socket.destroySoon()
  }
}
