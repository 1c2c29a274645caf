import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealSecret } from '@emma/core/deliverability/secret-box.ts'
import type { TestDatabase } from '@emma/db/test/database.ts'
import { type EngineLease, takeEngineLease } from '@emma/delivery/2-claim/engine-lease.ts'
import { createRecorder, type Recorder } from '@emma/delivery/engine/recorder.ts'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { createTokenReader } from '@emma/mail/token-reader.ts'
import fastify from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { startInboundServer } from '../../inbound/inbound-server.ts'
import { trustLoopback } from '../../network/trusted-proxies.ts'
import { mailTokenKey } from '../../mail-token-key.ts'
import { createCampaignPages } from '../../tracking/campaign-pages.ts'
import { mountEspWebhooks } from '../../tracking/esp-webhooks.ts'
import { attachFastPath } from '../../tracking/fast-path.ts'
import { formatEvent, type TrackingEvent } from '../../tracking/tracking-event.ts'
import { type EventSpool, openEventSpool } from '../../tracking/event-spool.ts'
import { mountPublic } from '../../tracking/mount-tracking.ts'
import { createProcessPages } from '../../tracking/process-pages.ts'
import { startEventStore } from '../../tracking/store-events.ts'

/** All public interfaces through which events arrive, as in production, in one process. */
export interface Doors {
  tokenKey: KeyObject
  /** Sends a request to the tracking port and follows no redirect. */
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; form?: string },
  ): Promise<number>
  /** Writes events to a spool file, as a killed tracking process leaves it. */
  leave(hits: readonly TrackingEvent[]): void
  /** Stores all accepted tracking events. */
  storeHits(): Promise<void>
  /** Sends an ESP's call to a client's webhook; returns the status. */
  hook(clientId: number, esp: 'sendgrid' | 'mailgun', body: unknown, isForged: boolean): Promise<number>
  /** Delivers an inbound message; returns the reply code. */
  mail(to: string, source: string | Buffer): Promise<number | null>
  engine(): Promise<TestEngine>
  close(): Promise<void>
}

/** An engine's lease and journal; the test decides about the receivers' replies. */
export interface TestEngine {
  lease: EngineLease
  recorder: Recorder
}

const SECRET_KEY = Buffer.alloc(32, 3)
const MAILGUN = 'the signing key'

export async function openDoors(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  clientIds: readonly number[],
): Promise<Doors> {
  const logger = pino({ level: 'silent' })
  const config = { deriveKey: () => SECRET_KEY, isTrustedProxy: trustLoopback }
  const tokenKey = mailTokenKey(config)
  const folder = mkdtempSync(join(tmpdir(), 'emma-figures-'))
  let journal = await openEventSpool(folder, logger)
  const current: EventSpool = {
    add: hit => journal.add(hit),
    isBehind: () => journal.isBehind(),
    close: () => journal.close(),
  }
  const app = fastify({ trustProxy: 'loopback', routerOptions: { maxParamLength: 500 } })
  const campaigns = createCampaignPages(db)
  const front = attachFastPath({
    server: app.server,
    tokenKey,
    journal: current,
    campaigns,
    isTrustedProxy: trustLoopback,
  })
  mountPublic({ app, config, db, logger, campaigns, pages: createProcessPages(db), journal: current })
  mountEspWebhooks({ app, config, db, logger })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const inbound = await startInboundServer(
    { db, pool, tokenKey },
    { host: '127.0.0.1', port: 0, isTrustedProxy: trustLoopback, resolveTxt: () => Promise.resolve([]) },
    logger,
  )
  const smtp = createPool({
    host: '127.0.0.1',
    port: inbound.port,
    name: 'mx.test',
    tls: 'off',
    connections: 1,
  })

  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicText = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const hooks = new Map<string, string>()
  for (const clientId of clientIds)
    for (const [esp, secret] of [
      ['sendgrid', publicText],
      ['mailgun', MAILGUN],
    ] as const) {
      const { rows } = await sql<{ hook_token: string }>`
        insert into esp_login (client_id, esp, name, webhook_secret)
        values (${clientId}, ${esp}, ${esp}, ${sealSecret(SECRET_KEY, secret)}) returning hook_token`.execute(
        db,
      )
      hooks.set(`${clientId} ${esp}`, `/hook/${esp}/${rows[0]?.hook_token}`)
    }

  return {
    tokenKey,
    async ask(path, { method = 'GET', headers = {}, form } = {}) {
      const asked = { method, headers, redirect: 'manual' } as const
      // A form has the content type that browsers send.
      const request = form ? { ...asked, body: new URLSearchParams(form) } : asked
      const answer = await fetch(`${address}${path}`, request)
      await answer.arrayBuffer()
      return answer.status
    },
    leave(hits) {
      const lines = hits.map(formatEvent).join('')
      writeFileSync(join(folder, `0000000000-${randomUUID()}.log`), lines, 'latin1')
    },
    async storeHits() {
      await journal.close()
      await startEventStore({ folder, pool, readToken: createTokenReader(tokenKey), logger }).finish()
      journal = await openEventSpool(folder, logger)
    },
    async hook(clientId, esp, said, isForged) {
      const timestamp = String(Math.floor(Date.now() / 1000))
      const body = JSON.stringify(said)
      const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64')
      const answer = await app.inject({
        method: 'POST',
        url: hooks.get(`${clientId} ${esp}`) ?? '',
        payload: isForged && esp === 'sendgrid' ? body.replace('"timestamp"', ' "timestamp"') : body,
        headers: {
          'content-type': 'application/json',
          'x-twilio-email-event-webhook-timestamp': timestamp,
          'x-twilio-email-event-webhook-signature': signature,
        },
      })
      return answer.statusCode
    },
    async mail(to, source) {
      const { code } = await smtp.send({ from: '', to }, [Buffer.from(source)])
      return code
    },
    async engine() {
      const lease = await takeEngineLease(pool)
      return { lease, recorder: createRecorder({ db, pool }, lease.id, logger) }
    },
    async close() {
      await smtp.close()
      await inbound.stop()
      front.close()
      await app.close()
      await journal.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Signs a call like Mailgun: in the body, over a unique token. */
export function mailgunCall(token: string, data: object, isForged: boolean): object {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = isForged ? 'another key' : MAILGUN
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  return { signature: { timestamp, token, signature }, 'event-data': data }
}

/** Builds a delivery status notification (RFC 3464) about one recipient. */
export function deliveryReport(
  to: string,
  recipient: string,
  said: { action: string; status: string; diagnostic: string },
): string {
  return [
    'From: Mail Delivery System <MAILER-DAEMON@mx.test>',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'The mail could not be delivered.',
    '--part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.test',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${said.action}`,
    `Status: ${said.status}`,
    `Diagnostic-Code: smtp; ${said.diagnostic}`,
    '--part--',
    '',
  ].join('\r\n')
}

/** Builds a complaint in the Abuse Reporting Format (RFC 5965) with a partial quote of the message. */
export function complaint(original: string): string {
  return [
    'From: complaints@mx.test',
    'Subject: Complaint',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'Somebody does not want this mail.',
    '--part',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Reporter/1.0',
    'Version: 1',
    '',
    '--part',
    'Content-Type: text/rfc822-headers',
    '',
    original,
    'Subject: News',
    '',
    '--part--',
    '',
  ].join('\r\n')
}
