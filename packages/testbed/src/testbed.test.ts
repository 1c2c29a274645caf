import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Resolver } from 'node:dns/promises'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMailboxes } from './mailboxes.ts'
import { deliver, rawSmtp, TEST_MESSAGE, testFolder, testTestbed } from './test/servers.ts'
import { startTestbed } from './testbed.ts'

describe('startTestbed', () => {
  it('finishes messages in progress when it stops', async () => {
    const testbed = await testTestbed({ slowReply: 0.3, reactions: { enabled: false } })
    const replies = Promise.all(
      Array.from({ length: 5 }, (_, index) => deliver(testbed, `slow-${index}@gmail.test`)),
    )
    await expect.poll(() => testbed.stats().receiving).toBe(5)
    await testbed.stop()
    expect((await replies).map(reply => reply.slice(0, 3))).toEqual(['250', '250', '250', '250', '250'])
    await expect(rawSmtp(testbed.smtpPort).then(client => client.say('NOOP\r\n'))).resolves.toEqual([])
  })

  it('serves its zone on the given port', async () => {
    const testbed = await testTestbed({ dnsPort: 0 })
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${testbed.dnsPort}`])
    expect(await resolver.resolve4('mx1.gmail.test')).toEqual(['127.0.0.1'])
  })

  it('fails if its port is taken, and leaves nothing open', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const folder = testFolder()
    await expect(startTestbed({ folder, smtpPort: port, dnsPort: 0 })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    const next = await testTestbed({ folder })
    expect(await deliver(next, 'ok-1@gmail.test')).toMatch(/^250 /)
  })

  it('has every accepted message after it was killed', { timeout: 60_000 }, async () => {
    const folder = testFolder()
    const told = new Map<string, string>()
    for (let round = 0; round < 3; round++) {
      const { child, port } = await startProcess(folder)
      const pool = createPool({ host: '127.0.0.1', port, name: 'sender.test', tls: 'off', connections: 4 })
      const sending = sendUntilLost(pool, round, told)
      await expect
        .poll(() => [...told.values()].filter(outcome => outcome === 'sent').length)
        .toBeGreaterThan(200 * (round + 1))
      child.kill('SIGKILL')
      await once(child, 'exit')
      await sending
      await pool.close()
    }
    const log = [...openMailboxes(folder).readLog()].filter(({ outcome }) => outcome === 'accepted')
    const logged = new Set(log.map(({ recipient }) => recipient))
    expect(logged.size).toBe(log.length)
    const lost = [...told].filter(([recipient, outcome]) => outcome === 'sent' && !logged.has(recipient))
    expect(lost).toEqual([])
    const unexplained = [...logged].filter(
      recipient => !['sent', 'unknown'].includes(told.get(recipient) ?? ''),
    )
    expect(unexplained).toEqual([])
    expect(openMailboxes(folder).listMessages().total).toBe(log.length)
  })
})

/** A testbed as a separate process. */
async function startProcess(folder: string): Promise<{ child: ChildProcess; port: number }> {
  const module = new URL('testbed.ts', import.meta.url).href
  const code = `import { startTestbed } from ${JSON.stringify(module)}
    const testbed = await startTestbed({ folder: ${JSON.stringify(folder)}, smtpPort: 0 })
    console.log(testbed.smtpPort)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line]: unknown[] = await once(child.stdout, 'data')
  return { child, port: Number(String(line)) }
}

async function sendUntilLost(
  pool: ReturnType<typeof createPool>,
  round: number,
  told: Map<string, string>,
): Promise<void> {
  let next = 0
  let isLost = false
  const send = async () => {
    while (!isLost) {
      const to = `ok-${round}x${next++}@gmail.test`
      const outcome = await pool.send({ from: 'b@sender.test', to }, [Buffer.from(TEST_MESSAGE)])
      told.set(to, outcome.outcome)
      if (outcome.outcome !== 'sent') isLost = true
    }
  }
  await Promise.all(Array.from({ length: pool.capacity }, send))
}
