import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitConnections } from '../network/limit-connections.ts'
import { API_LIMITS } from '../network/limits.ts'
import { trustLoopback } from '../network/trusted-proxies.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let origin: string
let ours: TestClient
beforeAll(async () => {
  app = await startTestApp()
  ours = await addTestClient(app, await app.logInSuperadmin())
  await app.pool.query(
    `insert into role_heartbeat (node, role, pid, seen_at) values ('test', 'engine', 1, now() + interval '1 hour')`,
  )
  limitConnections(app.app.server, API_LIMITS.connections, { isTrustedProxy: trustLoopback })
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  app.app.server.closeAllConnections()
  await app.close()
})

/** Memory after garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('a thousand malicious connections', () => {
  test('use little memory, while others are served', async () => {
    const { token } = await app.logIn({ clients: [ours.clientId] })
    const ask = async () => {
      const headers = { authorization: `Bearer ${token}` }
      const [ready, list] = await Promise.all([
        fetch(`${origin}/ready`),
        fetch(`${origin}/api/emma/capping/`, { headers }),
      ])
      await Promise.all([ready.text(), list.text()])
      return [ready.status, list.status]
    }
    expect(await ask()).toEqual([200, 200])
    const before = heldBytes()
    const attackers = fork(new URL('../test/attackers.ts', import.meta.url), [new URL(origin).port], {
      execArgv: [],
    })
    await once(attackers, 'message')
    // A busy machine may ask a caller to try again.
    await expect.poll(ask).toEqual([200, 200])
    expect(heldBytes() - before).toBeLessThan(100_000_000)
    attackers.send('end')
    const [answers] = await once(attackers, 'message')
    // Rejected or timed out: none was accepted, and none crashed the server. Many are closed while still sending.
    expect(Object.keys(answers).filter(code => !['408', '413', '415', '431'].includes(code))).toEqual([])
    await expect.poll(ask).toEqual([200, 200])
  })
})
