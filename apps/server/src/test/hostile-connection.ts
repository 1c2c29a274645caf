import { connect, type TcpNetConnectOpts } from 'node:net'
import { onTestFinished } from 'vitest'

/** Behavior of a malicious connection. */
export interface Attack {
  connections: number
  first: string
  /** Repeated as often as the server accepts it. */
  endless?: string
  /** Responses are not read. */
  isDeaf?: true
}

const BLOCK_BYTES = 16_384

/**
 * Opens one of the connections, until the end of the test.
 *
 * @param isGreeted sends nothing before the greeting: the server disconnects early talkers
 */
export function openHostile(
  to: TcpNetConnectOpts,
  { first, endless, isDeaf }: Attack,
  { isGreeted = false } = {},
): void {
  const socket = connect(to)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const begin = () => {
    if (isDeaf) socket.pause()
    else socket.resume()
    socket.write(first)
    if (endless === undefined) return
    const block = endless.repeat(Math.ceil(BLOCK_BYTES / endless.length))
    // In turn with the other connections and the test itself: a server that reads at once would keep a loop going.
    const sendOn = () => {
      if (!socket.destroyed) socket.write(block, () => setImmediate(sendOn))
    }
    sendOn()
  }
  if (isGreeted) socket.once('data', begin)
  else begin()
}
