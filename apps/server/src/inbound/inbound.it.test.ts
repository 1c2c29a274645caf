import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { addCampaign, createTestTenant, type TestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { TEST_TOKEN_KEY, testExpansion } from '@emma/delivery/test/engine.ts'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { signToken, type Token, type TokenPurpose, verpAddress } from '@emma/mail/token.ts'
import { buildComplaint } from '@emma/testbed/build-complaint.ts'
import { buildDeliveryReport } from '@emma/testbed/build-delivery-report.ts'
import { PROVIDER_PROFILES } from '@emma/testbed/provider-profiles.ts'
import { rawSmtp } from '@emma/testbed/test/servers.ts'
import { trySmuggling } from '@emma/testbed/test/smuggling.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestInbound } from '../test/inbound-server.ts'
import type { InboundServer } from './inbound-server.ts'

const HOST = `bounce.${SENDER}`

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }
let server: InboundServer
let pool: ReturnType<typeof createPool>

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test'])
  campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
  server = await startTestInbound(database)
  pool = createPool({ host: '127.0.0.1', port: server.port, name: 'mx.gmx.test', tls: 'off', connections: 1 })
})
afterAll(async () => {
  await pool.close()
  await server.stop()
  await database.drop()
})
beforeEach(async () => {
  await sql`delete from event`.execute(tenant.db)
})

describe('the inbound server', () => {
  it.each([
    'anybody@elsewhere.example',
    `somebody@${HOST}`,
    `b-${'a'.repeat(40)}@elsewhere.example`,
    `fbl@elsewhere.example`,
  ])('accepts nothing for %s', async to => {
    expect(await send(to, ORIGINAL)).toMatchObject({ outcome: 'rejected', code: 550 })
  })

  it('records a delivery report by its signed return path', async () => {
    const to = verpAddress(tokenOf(1), HOST)
    expect(await send(to, report(to, 'dsn-ann@gmx.test'))).toMatchObject({ code: 250 })
    expect(await events()).toMatchObject([
      {
        type: 'bounce',
        member_id: 1,
        campagne_id: campaign.campaignId,
        member_table_id: tenant.memberTableId,
        email: 'ann@gmx.test',
        hard: true,
        class: 'bad-mailbox',
        source: 'mail',
      },
    ])
  })

  it.each([
    ['its return path', (token: string) => `Return-Path: <${verpAddress(token, HOST)}>\r\n`],
    [
      'its unsubscribe address',
      () => `List-Unsubscribe: <mailto:${verpAddress(tokenOf(2, {}, 'page'), HOST, 'unsubscribe')}>\r\n`,
    ],
    ['its Message-ID', (token: string) => `Message-ID: <${token}@${SENDER}>\r\n`],
    ['its feedback id', (token: string) => `CFBL-Feedback-ID: ${token}\r\n`],
  ])('identifies the message of a complaint by %s', async (_, header) => {
    const original = Buffer.from(`${header(tokenOf(2))}From: news@${SENDER}\r\nSubject: x\r\n\r\nHello\r\n`)
    expect(await send(`fbl@${HOST}`, complaint(original))).toMatchObject({ code: 250 })
    expect(await events()).toMatchObject([{ type: 'complaint', member_id: 2, email: 'ben@gmx.test' }])
  })

  it.each([
    ['not-spam', []],
    ['auth-failure', []],
    ['dmarc', []],
    ['opt-out', ['unsubscribe']],
    ['fraud', ['complaint']],
    ['virus', ['complaint']],
    ['other', ['complaint']],
  ])('a feedback report of type %s is recorded as %j', async (type, types) => {
    const original = Buffer.from(
      `CFBL-Feedback-ID: ${tokenOf(1)}\r\nFrom: news@${SENDER}\r\nSubject: x\r\n\r\nHello\r\n`,
    )
    const source = complaint(original)
      .toString('latin1')
      .replace(/^Feedback-Type: .*$/im, `Feedback-Type: ${type}`)
    await send(`fbl@${HOST}`, Buffer.from(source, 'latin1'))
    const recorded = await events()
    expect(recorded.map(event => event.type)).toEqual(types)
    await resubscribe()
  })

  it('does not unsubscribe for an automatic reply whose subject looks like a request', async () => {
    const mail = Buffer.from(
      'From: ann@gmx.test\r\nSubject: Re: Baja de precios: hasta -50 %\r\nAuto-Submitted: auto-replied\r\n\r\nHola\r\n',
    )
    await send(verpAddress(tokenOf(1), HOST), mail)
    expect(await events()).toMatchObject([{ type: 'auto_reply', member_id: 1 }])
  })

  it('records nothing for reports about other mail or with an invalid token', async () => {
    const forged = verpAddress(tokenOf(1), HOST).replace(/.@/, character =>
      character[0] === 'a' ? 'b@' : 'a@',
    )
    await send(forged, report(forged, 'ann@gmx.test'))
    await send(`fbl@${HOST}`, complaint(ORIGINAL))
    await send(verpAddress(tokenOf(1, { kind: 'test' }), HOST), report('', 'ann@gmx.test'))
    expect(await events()).toEqual([])
  })

  it('records no bounce for a token of the unsubscribe address or of a link', async () => {
    for (const purpose of ['page', 'tracking'] as const) {
      const to = verpAddress(tokenOf(1, {}, purpose), HOST)
      expect(await send(to, report(to, 'ann@gmx.test'))).toMatchObject({ code: 550 })
    }
    const unsubscribe = verpAddress(tokenOf(1, {}, 'page'), HOST, 'unsubscribe')
    await send(unsubscribe, report(unsubscribe, 'ann@gmx.test'))
    expect(await events()).toEqual([])
  })

  it('unsubscribes senders to the unsubscribe address only', async () => {
    const mail = Buffer.from('From: ben@gmx.test\r\nSubject: unsubscribe\r\n\r\n\r\n')
    await send(verpAddress(tokenOf(2, {}, 'page'), HOST, 'unsubscribe'), mail)
    const { rows } = await sql<{ email: string }>`
      select email from ${sql.id('members', `t${tenant.memberTableId}`)} where dateunjoin is not null`.execute(
      tenant.db,
    )
    expect(rows).toEqual([{ email: 'ben@gmx.test' }])
    expect(await events()).toMatchObject([{ type: 'unsubscribe', source: 'mail', member_id: 2 }])
  })

  it('does not accept a second message by other line ends (SMTP smuggling)', async () => {
    const client = await rawSmtp(server.port)
    const unsubscribe = verpAddress(tokenOf(2, {}, 'page'), HOST, 'unsubscribe')
    const { sent, ...result } = await trySmuggling(client, verpAddress(tokenOf(1), HOST), unsubscribe)
    expect(result).toEqual({ accepted: sent, unasked: [] })
    expect(await events()).toEqual([])
  })

  it('distinguishes an automatic reply from a bounce', async () => {
    const mail = Buffer.from(
      'From: ann@gmx.test\r\nSubject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n',
    )
    await send(verpAddress(tokenOf(1), HOST), mail)
    expect(await events()).toMatchObject([{ type: 'auto_reply', member_id: 1 }])
  })
})

const ORIGINAL = Buffer.from('From: x@y.example\r\nMessage-ID: <1@y.example>\r\nSubject: x\r\n\r\nHello\r\n')

function gmx() {
  const profile = PROVIDER_PROFILES.find(one => one.name === 'GMX')
  if (!profile) throw new Error('no such profile')
  return profile
}

function report(returnPath: string, recipient: string): Buffer {
  const at = new Date()
  return buildDeliveryReport({
    provider: gmx(),
    seed: '',
    returnPath,
    recipient,
    original: ORIGINAL,
    receivedAt: at,
    now: at,
  })
}

function complaint(original: Buffer): Buffer {
  const at = new Date()
  const to = `fbl@${HOST}`
  return buildComplaint({
    provider: gmx(),
    to,
    recipient: 'ben@gmx.test',
    returnPath: '',
    original,
    receivedAt: at,
    now: at,
  })
}

function tokenOf(memberId: number, other: Partial<Token> = {}, purpose: TokenPurpose = 'return'): string {
  return signToken(TEST_TOKEN_KEY, { kind: 'campaign', ...campaign, memberId, ...other }, purpose)
}

function send(to: string, message: Buffer) {
  return pool.send({ from: '', to }, [message])
}

function resubscribe() {
  return sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = null`.execute(tenant.db)
}

function events() {
  return tenant.db.selectFrom('event').selectAll().orderBy('event_id').execute()
}
