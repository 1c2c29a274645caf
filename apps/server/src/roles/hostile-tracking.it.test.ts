import { afterAll, beforeAll, expect, it } from 'vitest'
import { readReadiness } from '../readiness.ts'
import { type Attack, openHostile } from '../test/hostile-connection.ts'
import { openRoleSurroundings, type RoleSurroundings } from '../test/role-surroundings.ts'
import { heldBytes, startRole } from '../test/role.ts'

let surroundings: RoleSurroundings

beforeAll(async () => {
  surroundings = await openRoleSurroundings('EMMA_TRACKING_PORT')
})
afterAll(() => surroundings.close())

const HEAD = 'HTTP/1.1\r\nHost: a\r\n'

function attacks(): Attack[] {
  const { tokenOf } = surroundings
  const open = `GET /t/o/${tokenOf('tracking')}.gif ${HEAD}\r\n`
  const click = `GET /t/c/${tokenOf('tracking')}/0 ${HEAD}\r\n`
  const post = `POST /u/${tokenOf('page')} ${HEAD}Content-Type: application/x-www-form-urlencoded\r\n`
  const chunk = `fff\r\n${'a'.repeat(0xfff)}\r\n`
  return [
    { connections: 40, first: '' },
    { connections: 80, first: 'GET /t/o/' },
    { connections: 80, first: `GET /none ${HEAD}X-Slow: ` },
    { connections: 40, first: `${post}Content-Length: 9000\r\n\r\naction=` },
    { connections: 10, first: `GET /t/c/a ${HEAD}`, endless: `X-A: ${'a'.repeat(1_000)}\r\n` },
    { connections: 10, first: `GET /none ${HEAD}`, endless: `X-A: ${'a'.repeat(1_000)}\r\n` },
    { connections: 5, first: open, endless: open.repeat(100), isDeaf: true },
    { connections: 5, first: click, endless: click.repeat(100), isDeaf: true },
    { connections: 10, first: `GET /none ${HEAD}\r\n`.repeat(1_500), isDeaf: true },
    { connections: 5, first: `${post}Content-Length: 900000000\r\n\r\n`, endless: chunk },
    { connections: 5, first: `${post}Transfer-Encoding: chunked\r\n\r\n`, endless: chunk },
    { connections: 5, first: `POST /none ${HEAD}Transfer-Encoding: chunked\r\n\r\n`, endless: chunk },
  ]
}

it('malicious connections to the tracking port use little memory, and readers are served', async () => {
  const { port, pool, config, environment } = surroundings
  const role = await startRole('tracking', environment)
  expect(await askAll()).toEqual([200, 302, 200])
  const before = await heldBytes(role)
  for (const attack of attacks())
    for (let made = 0; made < attack.connections; made++) openHostile({ port, host: '127.0.0.1' }, attack)
  for (let round = 0; round < 2; round++) {
    expect(await askAll()).toEqual([200, 302, 200])
    expect(await readReadiness(pool, config)).toMatchObject({ ready: true })
    expect((await heldBytes(role)) - before).toBeLessThan(100_000_000)
  }
})

/** Like readers' programs, each on its own connection. */
async function askAll(): Promise<number[]> {
  const { port, tokenOf } = surroundings
  const paths = [`/t/o/${tokenOf('tracking')}.gif`, `/t/c/${tokenOf('tracking')}/0`, `/u/${tokenOf('page')}`]
  const answers = paths.map(async path => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(30_000),
    })
    await answer.arrayBuffer()
    return answer.status
  })
  return Promise.all(answers)
}
