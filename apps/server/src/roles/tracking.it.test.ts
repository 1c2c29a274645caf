import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRoleSurroundings, type RoleSurroundings } from '../test/role-surroundings.ts'
import { startRole } from '../test/role.ts'

/** The whole role in its own process. Each event has a unique user agent, to detect lost and repeated ones. */
let surroundings: RoleSurroundings

beforeAll(async () => {
  surroundings = await openRoleSurroundings('EMMA_TRACKING_PORT')
})
afterAll(() => surroundings.close())

it('SIGTERM loses no answered event, and leaves no file', async () => {
  const role = await startRole('tracking', surroundings.environment)
  let count = 0
  const asking = askOn('term', () => count++)
  await sleep(1_500)
  await expect.poll(() => count).toBeGreaterThan(100)
  role.kill('SIGTERM')
  await once(role, 'exit')
  const answered = await asking
  expect(answered).toBeGreaterThan(100)
  expect(readdirSync(join(surroundings.folder, 'hits'))).toEqual([])
  const stored = await agents('term')
  expect(missing('term', answered, stored)).toEqual([])
  expect(new Set(stored).size).toBe(stored.length)
})

it('SIGKILL loses at most the last second, and repeats nothing', async () => {
  for (let round = 0; round < 3; round++) {
    const role = await startRole('tracking', surroundings.environment)
    const answers: number[] = []
    const asking = askOn(`kill${round}`, () => answers.push(performance.now()))
    // During reading, classifying and storing, at different points.
    await sleep(2_200 + round * 130)
    role.kill('SIGKILL')
    await once(role, 'exit')
    const answered = await asking
    // The last second of the process: while the machine is frozen it neither answers nor writes.
    const end = answers.at(-1) ?? 0
    const aSecondAgo = answers.filter(at => at < end - 1_000).length
    const last = await startRole('tracking', surroundings.environment)
    last.kill('SIGTERM')
    await once(last, 'exit')
    const stored = await agents(`kill${round}`)
    expect(new Set(stored).size).toBe(stored.length)
    expect(answered).toBeGreaterThan(aSecondAgo)
    expect(missing(`kill${round}`, aSecondAgo, stored)).toEqual([])
  }
  expect(readdirSync(join(surroundings.folder, 'hits'))).toEqual([])
})

/** Sends some hundred requests per second until the connection ends; returns how many were answered. */
async function askOn(name: string, onAnswer: () => void): Promise<number> {
  const socket = connect(surroundings.port, '127.0.0.1')
  socket.on('error', () => {})
  let count = 0
  ask(socket, `${name}-0`)
  socket.on('data', () => {
    count++
    onAnswer()
    setTimeout(ask, 2, socket, `${name}-${count}`)
  })
  await new Promise(resolve => socket.once('close', resolve))
  return count
}

function ask(socket: Socket, agent: string): void {
  if (!socket.writable) return
  const path = `/t/o/${surroundings.tokenOf('tracking')}.gif`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a.example\r\nUser-Agent: ${agent}\r\n\r\n`)
}

function missing(name: string, count: number, stored: readonly string[]): string[] {
  const known = new Set(stored)
  return Array.from({ length: count }, (_, index) => `${name}-${index}`).filter(agent => !known.has(agent))
}

async function agents(name: string): Promise<string[]> {
  const { rows } = await surroundings.pool.query<{ agent: string }>(
    'select user_agent as agent from event where user_agent like $1',
    [`${name}-%`],
  )
  return rows.map(row => row.agent)
}
