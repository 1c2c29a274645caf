import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { snapshotCampaign } from '@emma/delivery/model/campaign-snapshot.ts'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { segmentOf } from '@emma/delivery/test/engine.ts'
import { signToken, type TokenPurpose } from '@emma/mail/token.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Config, loadConfig } from '../config.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { readReadiness } from '../readiness.ts'
import { freePort, heldBytes, startRole } from '../test/role.ts'

const folder = mkdtempSync(join(tmpdir(), 'emma-hostile-'))
let database: TestDatabase
let config: Config
let environment: Record<string, string>
let tokenOf: (purpose: TokenPurpose) => string

beforeAll(async () => {
  database = await createTestDatabase()
  environment = {
    EMMA_DATA: folder,
    EMMA_SECRET: 'a secret of this test',
    DATABASE_URL: database.url,
    EMMA_TRACKING_PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
  }
  const campaign = await addCampaign(await createTestTenant(database.db, ['ann@gmx.test']))
  await expandCampaign(database.db, campaign, {
    segmentOf,
    takeSnapshot: (tx, found) => snapshotCampaign(tx, found, () => 'https://news.shop.example'),
  })
  await database.pool.query(
    `insert into role_heartbeat (node, role, pid, seen_at) values ('test', 'engine', 1, now() + interval '1 hour')`,
  )
  config = loadConfig(environment)
  const key = mailTokenKey(config)
  tokenOf = purpose => signToken(key, { kind: 'campaign', ...campaign, memberId: 1 }, purpose)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const HEAD = 'HTTP/1.1\r\nHost: a\r\n'

/** Behaviour of each connection after its first bytes. */
interface Attack {
  connections: number
  first: string
  /** Repeated as often as the server accepts it. */
  endless?: string
  /** Responses are not read. */
  isDeaf?: true
}

function attacks(): Attack[] {
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
  const role = await startRole('tracking', environment)
  const origin = `http://127.0.0.1:${environment['EMMA_TRACKING_PORT']}`
  expect(await askAll(origin)).toEqual([200, 302, 200])
  const before = await heldBytes(role)
  for (const attack of attacks())
    for (let made = 0; made < attack.connections; made++) begin(Number(new URL(origin).port), attack)
  for (let round = 0; round < 2; round++) {
    expect(await askAll(origin)).toEqual([200, 302, 200])
    expect(await readReadiness(database.pool, config)).toMatchObject({ ready: true })
    expect((await heldBytes(role)) - before).toBeLessThan(100_000_000)
  }
})

/** Like readers' programs, each on its own connection. */
async function askAll(origin: string): Promise<number[]> {
  const paths = [`/t/o/${tokenOf('tracking')}.gif`, `/t/c/${tokenOf('tracking')}/0`, `/u/${tokenOf('page')}`]
  const answers = paths.map(async path => {
    const answer = await fetch(`${origin}${path}`, {
      redirect: 'manual',
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(30_000),
    })
    await answer.arrayBuffer()
    return answer.status
  })
  return Promise.all(answers)
}

function begin(port: number, { first, endless, isDeaf }: Attack): void {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  if (isDeaf) socket.pause()
  else socket.resume()
  socket.write(first)
  if (endless === undefined) return
  socket.on('drain', () => sendOn(socket, endless))
  sendOn(socket, endless)
}

function sendOn(socket: Socket, text: string): void {
  while (!socket.destroyed && socket.write(text));
}
