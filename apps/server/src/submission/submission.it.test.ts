import { connect } from 'node:net'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { findMail, resendMail } from '@emma/core/transactional/mail-log.ts'
import { rotateMailKey } from '@emma/core/transactional/mail-key.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { startLab, testEngine, type TestLab } from '@emma/delivery/test/engine.ts'
import type { Engine } from '@emma/delivery/engine/engine.ts'
import { createSelfSignedCertificate } from '@emma/testbed/self-signed-certificate.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { rawSmtp } from '@emma/testbed/test/servers.ts'
import { trySmuggling } from '@emma/testbed/test/smuggling.ts'
import { sql } from 'kysely'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SUBMISSION_LIMITS } from '../network/limits.ts'
import { trustLoopback } from '../network/trusted-proxies.ts'
import type { BoundedSmtp } from '../network/bounded-smtp.ts'
import { startSubmissionServer } from './submission-server.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant
let server: BoundedSmtp
let id: number
let key: string

const options = { host: '127.0.0.1', port: 0, isTrustedProxy: trustLoopback, tls: null }
const logger = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, [])
  lab = await startLab(database.db)
  engine = await testEngine(database, lab.port)
  id = await addTransactional(tenant)
  key = await keyOf(tenant, id)
  server = await startSubmissionServer(database.db, options, logger)
})
afterAll(async () => {
  await server?.stop()
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})
beforeEach(async () => {
  await setMode('free')
})

async function addTransactional({ clientId, domainId, mailclassId, messageId }: TestTenant): Promise<number> {
  const made = await database.db
    .insertInto('transactional')
    .values({
      client_id: clientId,
      name: 'Shop',
      domain_id: domainId,
      mailclass_id: mailclassId,
      message_id: messageId,
      fromadr: `shop@${SENDER}`,
      fromname: 'Shop',
      smtp_mode: 'free',
      data_fields: JSON.stringify([
        { name: 'number', type: 'text', required: true, example: null, fields: [] },
      ]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

async function keyOf({ clientId }: TestTenant, of: number): Promise<string> {
  const actor = systemActor(clientId)
  return (await rotateMailKey(database.db, actor, { clientIds: [clientId] }, of)).key
}

const setMode = (mode: string, more: Record<string, unknown> = {}) =>
  database.db
    .updateTable('transactional')
    .set({ smtp_mode: mode, rate_per_minute: 0, active: true, ...more })
    .where('id', '=', id)
    .execute()

function client(password = key, port = server.port, more: Record<string, unknown> = {}) {
  return nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    auth: { user: 'shop', pass: password },
    ...more,
  })
}

const order = {
  from: `shop@${SENDER}`,
  subject: 'Ihre Bestellung – Größe M',
  text: 'Danke!',
  html: '<p>Danke &amp; bis bald, <b>{{ nobody }}</b></p>',
}

async function received(search: string) {
  const mailboxes = openMailboxes(lab.folder)
  const { rows } = mailboxes.listMessages({ search, limit: 20 })
  const found = await Promise.all(rows.map(({ id: mail }) => mailboxes.getMessage(mail)))
  mailboxes.close()
  return found.flatMap(mail => mail ?? [])
}

const mailIdOf = async (email: string) => {
  const { rows } = await sql<{ mailId: number }>`
    select mail_id as "mailId" from transactional_mail where email = ${email} order by mail_id`.execute(
    database.db,
  )
  return Number(rows[0]?.mailId)
}

const parts = {
  text: 'Content-Type: text/plain\r\n\r\nHello',
  html: 'Content-Type: text/html\r\n\r\n<p><img src="cid:logo@shop"><img src="cid:a%2Bb"><img src="cid:missing"></p>',
  // Its Content-ID occurs twice; the PDF has one that nothing shows, as Outlook writes them.
  images: [
    imagePart('logo.png', 'logo@shop', 'one'),
    imagePart('again.png', 'logo@shop', 'twice'),
    imagePart('plus.png', 'a+b', 'two'),
  ],
  pdf: imagePart('terms.pdf', 'unused@shop', 'pdf').replace('image/png', 'application/pdf'),
}

function imagePart(name: string, contentId: string, content: string): string {
  return [
    `Content-Type: image/png; name="${name}"`,
    `Content-ID: <${contentId}>`,
    `Content-Disposition: inline; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64'),
  ].join('\r\n')
}

function multipart(subtype: string, ...entities: string[]): string {
  const boundary = `b-${subtype}`
  const body = entities.map(entity => `--${boundary}\r\n${entity}\r\n`).join('')
  return `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`
}

const relatedOutside = multipart(
  'mixed',
  multipart('related', multipart('alternative', parts.text, parts.html), ...parts.images),
  parts.pdf,
)
const relatedInside = multipart(
  'mixed',
  multipart('alternative', parts.text, multipart('related', parts.html, ...parts.images)),
  parts.pdf,
)

const queued = async () =>
  Number(
    (await sql<{ n: number }>`select count(*) as n from transactional_mail`.execute(database.db)).rows[0]?.n,
  )

describe('SMTP submission', () => {
  it('sends a mail as it is, with attachments, to each recipient, signed', async () => {
    await client().sendMail({
      ...order,
      to: ['ok-one@gmail.test', 'ok-two@gmx.test'],
      bcc: 'ok-three@gmail.test',
      replyTo: `help@${SENDER}`,
      attachments: [{ filename: 'Rechnung.pdf', content: 'PDF', contentType: 'application/pdf' }],
      headers: { 'List-Unsubscribe': '<https://evil.example>', 'X-EMMA-IPCI': 'forged' },
    })
    await expect.poll(async () => (await received('ok-one@')).length).toBe(1)
    await expect.poll(async () => (await received('ok-three@')).length).toBe(1)
    const [mail] = await received('ok-one@')
    expect(mail).toMatchObject({ subject: order.subject, recipient: 'ok-one@gmail.test' })
    expect(mail?.verdict.verified).toBe('pass')
    expect(mail?.html).toContain('<p>Danke &amp; bis bald, <b>{{ nobody }}</b></p>')
    expect(mail?.text?.trim()).toBe('Danke!')
    expect(mail?.attachments).toMatchObject([{ name: 'Rechnung.pdf', type: 'application/pdf' }])
    const headers = mail?.headers.map(({ name, value }) => `${name}: ${value}`).join('\n') ?? ''
    expect(headers).toMatch(/^From: .*shop@/im)
    expect(headers).toMatch(/^Reply-To: .*help@/im)
    expect(headers).not.toMatch(/evil\.example|forged|ok-three|ok-two/)
  })

  it.each([
    ['alternatives inside multipart/related', 'ok-related@gmail.test', relatedOutside],
    ['multipart/related inside alternatives', 'ok-inside@gmail.test', relatedInside],
  ])('shows images of the mail, also in a copy that is sent again: %s', async (_, to, structure) => {
    await client().sendMail({
      envelope: { from: order.from, to },
      raw: [`From: ${order.from}`, `To: ${to}`, 'Subject: Pictures', 'MIME-Version: 1.0', structure].join(
        '\r\n',
      ),
    })
    await expect.poll(async () => (await received(to)).length).toBe(1)
    const of = { clientId: tenant.clientId, id, mailId: await mailIdOf(to) }
    expect((await findMail(database.db, of)).attachments.map(({ content_id }) => content_id)).toEqual([
      'logo@shop',
      null,
      'a+b',
      null,
    ])
    await resendMail(database.db, systemActor(tenant.clientId), of)
    await expect.poll(async () => (await received(to)).length).toBe(2)
    for (const { source, verdict } of await received(to)) {
      expect(verdict.verified).toBe('pass')
      const { html, text, attachments } = await PostalMime.parse(source)
      expect(html).toContain('<img src="cid:logo@shop"><img src="cid:a%2Bb"><img src="cid:missing">')
      expect(text?.trim()).toBe('Hello')
      const parts = attachments.map(({ filename, contentId, disposition, related, content }) => ({
        filename,
        contentId,
        disposition,
        related,
        content: Buffer.from(content as ArrayBuffer).toString(),
      }))
      const shown = { disposition: 'inline', related: true }
      expect(parts).toMatchObject([
        { filename: 'logo.png', contentId: '<logo@shop>', content: 'one', ...shown },
        { filename: 'plus.png', contentId: '<a+b>', content: 'two', ...shown },
        { filename: 'again.png', disposition: 'attachment', content: 'twice' },
        { filename: 'terms.pdf', disposition: 'attachment', content: 'pdf' },
      ])
    }
  })

  it('answers 250 for a message that is submitted again, and sends it once', async () => {
    const before = await queued()
    const mail = { ...order, to: 'ok-again@gmail.test', messageId: '<order-1@shop.example>' }
    await client().sendMail(mail)
    await client().sendMail(mail)
    expect(await queued()).toBe(before + 1)
    await expect(client().sendMail({ ...mail, html: 'Another one' })).rejects.toMatchObject({
      responseCode: 550,
    })
  })

  it('puts data into the template', async () => {
    await setMode('template')
    await database.db
      .updateTable('message')
      .set({ subject: 'Order {{ data.number }}', body_long: '<p>Number {{ data.number }}</p>' })
      .execute()
    const to = 'ok-data@gmail.test'
    await client().sendMail({ from: 'erp@old.example', to, subject: '', text: '{"number": "A-7"}' })
    await expect.poll(async () => (await received('ok-data@')).length).toBe(1)
    expect((await received('ok-data@'))[0]).toMatchObject({ subject: 'Order A-7' })
    await client().sendMail({
      from: 'a@b.example',
      to,
      subject: 'Mine',
      text: 'x',
      headers: { 'X-EMMA-Data': '{"number": "A-8"}' },
    })
    await expect.poll(async () => (await received('Mine')).length).toBe(1)
    await expect(client().sendMail({ from: 'a@b.example', to, text: '{}' })).rejects.toMatchObject({
      responseCode: 550,
      response: expect.stringContaining('data.number'),
    })
    await expect(client().sendMail({ from: 'a@b.example', to, text: '{"number":' })).rejects.toMatchObject({
      responseCode: 550,
    })
  })

  it('is in the log with its content, and is sent again', async () => {
    await client().sendMail({ ...order, to: 'ok-log@gmail.test', html: undefined, text: '1 < 2' })
    const { rows } = await sql<{ mailId: number }>`
      select mail_id as "mailId" from transactional_mail where email = 'ok-log@gmail.test'`.execute(
      database.db,
    )
    const mailId = Number(rows[0]?.mailId)
    const of = { clientId: tenant.clientId, id, mailId }
    const found = await findMail(database.db, of)
    expect(found).toMatchObject({
      logged: { via_smtp: true },
      isFree: true,
      data: { text: expect.stringContaining('1 < 2') },
    })
    await expect.poll(async () => (await received('ok-log@')).length).toBe(1)
    expect((await received('ok-log@'))[0]?.html).toContain('1 &lt; 2')
    await resendMail(database.db, systemActor(tenant.clientId), of)
    await expect.poll(async () => (await received('ok-log@')).length).toBe(2)
  })
})

describe('refused submissions', () => {
  it('without a key, or with one that is replaced, unknown, or off', async () => {
    const other = await createTestTenant(database.db, [])
    const theirs = await keyOf(other, await addTransactional(other))
    const mail = { ...order, to: 'ok-no@gmail.test' }
    await expect(client('emtx_unknown').sendMail(mail)).rejects.toMatchObject({ responseCode: 535 })
    // The key decides whose email it is: their sender is another client's.
    await expect(client(theirs).sendMail(mail)).resolves.toBeDefined()
    expect(
      (
        await sql`select from transactional_mail where client_id = ${tenant.clientId} and email = 'ok-no@gmail.test'`.execute(
          database.db,
        )
      ).rows,
    ).toEqual([])
    await setMode('off')
    await expect(client().sendMail(mail)).rejects.toMatchObject({ responseCode: 535 })
    await setMode('free')
    const open = client(key, server.port, { pool: true, maxConnections: 1 })
    await open.sendMail({ ...mail, to: 'ok-yes@gmail.test' })
    key = await keyOf(tenant, id)
    await expect(open.sendMail(mail)).rejects.toMatchObject({ responseCode: 535 })
    open.close()
  })

  it('from another sender, while it is off, beyond its rate, and to what is no address', async () => {
    const mail = { ...order, to: 'ok-no@gmail.test' }
    await expect(client().sendMail({ ...mail, from: `ceo@${SENDER}` })).rejects.toMatchObject({
      responseCode: 550,
      response: expect.stringContaining(`The From address must be shop@${SENDER}`),
    })
    await setMode('free', { active: false })
    await expect(client().sendMail(mail)).rejects.toMatchObject({ responseCode: 451 })
    await setMode('free', { rate_per_minute: 1 })
    await expect(client().sendMail({ ...mail, to: ['a@b.test', 'c@d.test'] })).rejects.toMatchObject({
      responseCode: 451,
    })
    await setMode('free')
    const raw = await rawSmtp(server.port)
    expect(await raw.say('MAIL FROM:<a@b.test>\r\n')).toEqual([expect.stringMatching(/^530/)])
    raw.socket.destroy()
  })

  it('that hide a second message, or are too large', async () => {
    const before = await queued()
    const raw = await rawSmtp(server.port)

    expect(await raw.say(`AUTH PLAIN ${Buffer.from(`\0shop\0${key}`).toString('base64')}\r\n`)).toEqual([
      expect.stringMatching(/^235/),
    ])
    await setMode('template', { data_fields: '[]' })
    await trySmuggling(raw, 'ok-first@gmail.test', 'ok-smuggled@gmail.test')
    raw.socket.destroy()
    expect(await queued()).toBeGreaterThan(before)
    expect(
      (await sql`select from transactional_mail where email like 'ok-smuggled%'`.execute(database.db)).rows,
    ).toEqual([])
    await setMode('free')
    const large = { ...order, to: 'ok-no@gmail.test', html: 'x'.repeat(SUBMISSION_LIMITS.mailBytes) }
    await expect(client().sendMail(large)).rejects.toMatchObject({ responseCode: 552 })
    await expect(client().sendMail({ ...large, html: 'x'.repeat(270_000) })).rejects.toMatchObject({
      responseCode: 550,
    })
    // Each of 100 recipients would get a copy of 1 MB.
    const many = Array.from({ length: 100 }, (_, n) => `ok-many${n}@gmail.test`)
    await expect(
      client().sendMail({ ...order, to: many, html: 'x'.repeat(1_000_000) }),
    ).rejects.toMatchObject({ responseCode: 552 })
    const crowd = Array.from({ length: 101 }, (_, n) => `ok-crowd${n}@gmail.test`)
    const sent = await client().sendMail({ ...order, to: crowd })
    expect(sent.rejected).toHaveLength(1)
  })

  it('with many connections, or many logins in one', async () => {
    const limits = { ...SUBMISSION_LIMITS, connections: { total: 5, perAddress: 5, perAddressMinute: 1000 } }
    const small = await startSubmissionServer(
      database.db,
      { ...options, isTrustedProxy: () => false, limits },
      logger,
    )
    const sockets = Array.from({ length: 8 }, () => connect(small.port, '127.0.0.1'))
    const greetings = await Promise.all(
      sockets.map(
        socket =>
          new Promise<string>(resolve => {
            socket.once('data', data => resolve(String(data)))
            socket.once('close', () => resolve('closed'))
            socket.once('error', () => resolve('closed'))
          }),
      ),
    )
    expect(greetings.filter(text => text.startsWith('220'))).toHaveLength(5)
    for (const socket of sockets) socket.destroy()
    await small.stop()
    const raw = await rawSmtp(server.port)

    const guess = `AUTH PLAIN ${Buffer.from('\0shop\0emtx_guess').toString('base64')}\r\n`
    const answers = [await raw.say(guess), await raw.say(guess), await raw.say(guess)]
    expect(answers.flat().map(answer => answer.slice(0, 3))).toEqual(['535', '535', '421'])
  })

  it('with a login before STARTTLS, if there is a certificate', async () => {
    const secured = await startSubmissionServer(
      database.db,
      { ...options, tls: createSelfSignedCertificate(['localhost']) },
      logger,
    )
    const mail = { ...order, to: 'ok-tls@gmail.test' }
    await expect(client(key, secured.port).sendMail(mail)).rejects.toBeDefined()
    const tls = { ignoreTLS: false, requireTLS: true, tls: { rejectUnauthorized: false } }
    await client(key, secured.port, tls).sendMail(mail)
    await expect.poll(async () => (await received('ok-tls@')).length).toBe(1)
    await secured.stop()
  })
})
