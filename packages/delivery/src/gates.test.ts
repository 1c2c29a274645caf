import { describe, expect, it } from 'vitest'
import type { Way } from './2-claim/ways.ts'
import { createGates } from './gates.ts'

const WAY: Way = {
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
  lane: '1/1',
  connections: 10,
  buckets: [],
  sendIp: null,
  warmup: null,
  isQuarantined: false,
  receivers: [],
  closed: [],
}

describe('gates of a receiver', () => {
  it('let as many in at once as there are, and the next when one leaves', async () => {
    const { gates, receiver, entered, enter } = lab()
    gates.follow(waysOf(2))
    for (const name of ['a', 'b', 'c']) enter(name)
    await settled()
    expect(entered).toEqual(['a', 'b'])
    gates.leave(receiver)
    await settled()
    expect(entered).toEqual(['a', 'b', 'c'])
  })

  it('keep nobody for ever whose engine lost its part: nothing more is claimed, and one after the other goes on', async () => {
    const { gates, receiver, entered, enter } = lab()
    gates.follow(waysOf(1))
    gates.hold(receiver, 3)
    for (const name of ['a', 'b', 'c']) enter(name)
    // Another engine has come, and has the only connection from now on.
    gates.follow(waysOf(0))
    await settled()
    expect(entered).toEqual(['a'])
    expect(gates.roomFor(waysOf(0)[0]?.receivers[0] ?? receiver)).toBe(0)
    for (const sofar of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]) {
      gates.leave(receiver)
      gates.hold(receiver, -1)
      await settled()
      expect(entered).toEqual(sofar)
    }
  })

  it('let everybody go when the limit is lifted', async () => {
    const { gates, entered, enter } = lab()
    gates.follow(waysOf(1))
    for (const name of ['a', 'b', 'c']) enter(name)
    gates.follow([])
    await settled()
    expect(entered).toEqual(['a', 'b', 'c'])
  })
})

function lab() {
  const gates = createGates()
  const receiver = { providerId: 5, buckets: [], gates: [{ name: 'provider 5', most: 1 }] }
  const entered: string[] = []
  const enter = (name: string) => void gates.enter(receiver).then(() => entered.push(name))
  return { gates, receiver, entered, enter }
}

function waysOf(most: number): Way[] {
  return [{ ...WAY, receivers: [{ providerId: 5, buckets: [], gates: [{ name: 'provider 5', most }] }] }]
}

/** All that can go on without anybody else has gone on. */
function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
