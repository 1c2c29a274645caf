import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPool } from './pool.ts'
import { type Answer, goodAnswer, startScriptedServer } from './scripted-server.ts'

/** Wrong behaviours of a server; commands it did not understand need no reply. */
const WRONG: readonly Answer[] = [
  '421 4.3.2 shutting down',
  '421-4.3.2 in two lines\r\n421 shutting down',
  '451 4.3.0 later',
  '452 4.2.2 full',
  '550 5.1.1 no',
  '554-no\r\n554 no',
  '250-2.0.0 both\r\n450 ways',
  '354 go',
  '220 hello',
  '221 bye',
  'rubbish',
  socket => socket.destroy(),
  socket => socket.end('421 bye\r\n'),
  socket => {
    socket.write('25')
    setTimeout(() => socket.destroy(), 1)
  },
  socket => {
    socket.write('45')
    setTimeout(() => socket.write('0 late\r\n'), 1)
  },
]

const plan = fc.record({
  extensions: fc.constantFrom([], ['PIPELINING'], ['PIPELINING', 'CHUNKING']),
  depth: fc.constantFrom(1, 6),
  maxMessages: fc.constantFrom(3, 100),
  // One in this many replies is wrong.
  wrong: fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(...WRONG)), { maxLength: 8 }),
})

it('reports a true outcome for each message, whatever a server does', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ extensions, depth, maxMessages, wrong }) => {
      const taken: string[] = []
      const chaos = new Map(wrong)
      let count = 0
      const server = await startScriptedServer({
        answer(line) {
          const instead = line.startsWith('EHLO') ? undefined : chaos.get(count++)
          if (instead !== undefined) return instead
          if (line === '.' || line.startsWith('BDAT')) taken.push(nameIn(server.texts.at(-1) ?? ''))
          return goodAnswer(line, [...extensions])
        },
      })
      const place = { host: '127.0.0.1', port: server.port, name: 'mta.example.com', tls: 'off' as const }
      const timeouts = { command: 2_000, data: 2_000 }
      const limits = { connections: 2, coolDown: 0, depth, maxMessages, chunking: true, timeouts }
      const pool = createPool({ ...place, ...limits })
      const names = Array.from({ length: 12 }, (_, index) => `p${index}@example.net`)
      const outcomes = await Promise.all(
        names.map(to => pool.send({ from: 'b@example.com', to }, [Buffer.from(`To: ${to}\r\n\r\n.\r\n`)])),
      )
      await pool.close()
      await server.close()
      for (const [index, to] of names.entries()) {
        const { outcome } = outcomes[index] ?? {}
        expect(taken.filter(name => name === to).length).toBeLessThanOrEqual(1)
        if (outcome !== 'unknown')
          expect({ to, outcome, isTaken: taken.includes(to) }).toMatchObject({ isTaken: outcome === 'sent' })
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)

function nameIn(text: string): string {
  return /^To: (\S+)/.exec(text)?.[1] ?? ''
}
