import { describe, expect, it } from 'vitest'
import type { SendingRoute } from '../2-claim/sending-routes.ts'
import { createReceiverConcurrency } from './receiver-concurrency.ts'

const WAY: SendingRoute = {
  mailclassId: 1,
  mailclass: {
    client_id: 1,
    mailclass_id: 1,
    name: 'bulk',
    transport: 'testbed',
    smtp_host: null,
    smtp_port: null,
    smtp_tls: 'none',
    smtp_username: null,
    smtp_password: null,
    max_connections: 10,
    send_ip: null,
    mta_headers: [],
    source_ips: [],
    logins: [],
  },
  pool: '1/1',
  connections: 10,
  buckets: [],
  sendIp: null,
  warmup: null,
  isQuarantined: false,
  receivers: [],
  closed: [],
}

describe('concurrency limits of a receiver', () => {
  it('allow the maximum at once, and the next when one has finished', async () => {
    const { receiverConcurrency, receiver, entered, enter } = lab()
    receiverConcurrency.follow(routesOf(2))
    for (const name of ['a', 'b', 'c']) enter(name)
    await settled()
    expect(entered).toEqual(['a', 'b'])
    receiverConcurrency.release(receiver)
    await settled()
    expect(entered).toEqual(['a', 'b', 'c'])
  })

  it('block no waiter forever if the engine lost its share: nothing more is claimed, and the rest continue one by one', async () => {
    const { receiverConcurrency, receiver, entered, enter } = lab()
    receiverConcurrency.follow(routesOf(1))
    receiverConcurrency.hold(receiver, 3)
    for (const name of ['a', 'b', 'c']) enter(name)
    // Another engine started, and gets the only connection from now on.
    receiverConcurrency.follow(routesOf(0))
    await settled()
    expect(entered).toEqual(['a'])
    expect(receiverConcurrency.roomFor(routesOf(0)[0]?.receivers[0] ?? receiver)).toBe(0)
    for (const sofar of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]) {
      receiverConcurrency.release(receiver)
      receiverConcurrency.hold(receiver, -1)
      await settled()
      expect(entered).toEqual(sofar)
    }
  })

  it('release all waiters when the limit is removed', async () => {
    const { receiverConcurrency, entered, enter } = lab()
    receiverConcurrency.follow(routesOf(1))
    for (const name of ['a', 'b', 'c']) enter(name)
    receiverConcurrency.follow([])
    await settled()
    expect(entered).toEqual(['a', 'b', 'c'])
  })
})

function lab() {
  const receiverConcurrency = createReceiverConcurrency()
  const receiver = { providerId: 5, buckets: [], concurrency: [{ name: 'provider 5', most: 1 }] }
  const entered: string[] = []
  const enter = (name: string) => void receiverConcurrency.acquire(receiver).then(() => entered.push(name))
  return { receiverConcurrency, receiver, entered, enter }
}

function routesOf(most: number): SendingRoute[] {
  return [
    { ...WAY, receivers: [{ providerId: 5, buckets: [], concurrency: [{ name: 'provider 5', most }] }] },
  ]
}

/** Waits until everything that can continue has continued. */
function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
