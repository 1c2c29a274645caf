import { expect, it } from 'vitest'
import type { Outcome } from '../model/outcome.ts'
import { createFailOver } from './fail-over.ts'

const SENT: Outcome = {
  kind: 'sent',
  reply: { code: 250, enhanced: null, text: 'ok', class: 'other', hard: false },
}
const REFUSED = { kind: 'returned', text: '535 wrong password' } as const

it('retries the first route after a delay that grows, and reports the failure once until it works', async () => {
  let time = 0
  let first: Outcome = REFUSED
  const told: unknown[] = []
  const used: string[] = []
  const way = (id: number, answer: () => Outcome) => ({
    id,
    transport: {
      name: `way${id}`,
      capacity: 10 * id,
      async send() {
        used.push(`way${id}`)
        return answer()
      },
      close: async () => {},
    },
  })
  const transport = createFailOver(
    [way(1, () => first), way(2, () => SENT)],
    (id, reason) => told.push([id, reason]),
    () => time,
  )
  const send = () => transport.send({ from: 'a@b.test', to: 'c@d.test' }, [])
  expect(transport.capacity).toBe(10)
  expect(await send()).toBe(SENT)
  await send()
  time = 61_000
  await send()
  time = 130_000
  await send()
  expect(used).toEqual(['way1', 'way2', 'way2', 'way1', 'way2', 'way2'])
  first = SENT
  time = 200_000
  await send()
  first = REFUSED
  await send()
  expect(used.slice(6)).toEqual(['way1', 'way1', 'way2'])
  expect(told).toEqual([
    [1, '535 wrong password'],
    [1, '535 wrong password'],
  ])
})

it('returns a message if no route is left, with the time of the next attempt', async () => {
  let time = 0
  let answer: Outcome = REFUSED
  const told: unknown[] = []
  const transport = createFailOver(
    [{ id: 1, transport: { name: 'a', capacity: 1, send: async () => answer, close: async () => {} } }],
    id => told.push(id),
    () => time,
  )
  const send = () => transport.send({ from: 'a@b.test', to: 'c@d.test' }, [])
  expect(await send()).toEqual({ ...REFUSED, retryAfter: 60 })
  time = 20_000
  expect(await send()).toMatchObject({ text: expect.stringContaining('set aside'), retryAfter: 40 })
  time = 60_000
  // A rate-limited ESP did not reject the login.
  answer = { kind: 'returned', text: '429', retryAfter: 300 }
  expect(await send()).toEqual(answer)
  expect(told).toEqual([1])
})
