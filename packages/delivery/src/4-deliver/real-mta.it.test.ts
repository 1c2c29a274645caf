import { readFields } from '@emma/mail/test/strict-mail.ts'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { authenticateMail } from '@emma/testbed/authenticate-mail.ts'
import { FALSE_ENDS, smuggledMail } from '@emma/testbed/test/smuggling.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { renderTest, resolveTest, testSnapshot } from '../test/sample-mail.ts'
import { ASCII_POSTFIX, EXIM, type Mta, OPENSMTPD, POSTFIX, type RunningMta, startMta } from '../test/mta.ts'
import { openTransport } from './transport.ts'

describe.each<[string, Mta]>([
  ['postfix', POSTFIX],
  ['postfix without SMTPUTF8', ASCII_POSTFIX],
  ['exim4', EXIM],
  ['opensmtpd', OPENSMTPD],
])('%s as the next hop', (_name, mta) => {
  const isMissing = mta.start === null
  let server: RunningMta
  /** Messages queued before. */
  let existing: Set<string>
  beforeAll(async () => {
    if (!isMissing) server = await startMta(mta)
  })
  afterAll(() => (isMissing ? undefined : server.stop()))
  beforeEach(() => {
    existing = new Set(isMissing ? [] : server.queue().map(latin1))
  })
  const queued = () => server.queue().filter(mail => !existing.has(latin1(mail)))

  it.skipIf(isMissing)(
    'accepts messages over pipelined connections byte for byte, and its rejections are classified',
    async () => {
      const send = openRelay(server)
      const mails = await renderMails(20)
      const refused = await renderTest(testSnapshot(MESSAGE), {}, 'nobody@real.test')
      const outcomes = await Promise.all([...mails, refused].map(send))
      expect(outcomes.slice(0, 20).filter(({ kind }) => kind !== 'sent')).toEqual([])
      expect(outcomes[20]).toMatchObject({
        kind: 'rejected',
        reply: { code: 550, class: 'bad-mailbox', hard: true },
      })
      expectSame(queued(), mails)
    },
  )

  it.skipIf(isMissing)(
    'preserves both signatures, and one message stays one whatever its content',
    async () => {
      const send = openRelay(server)
      const hostile = await renderTest(testSnapshot(MESSAGE), { firstname: SMUGGLED }, 'p1@real.test')
      expect((await send(hostile)).kind).toBe('sent')
      // Other messages are converted to wire format.
      const pool = createPool({ ...HOP, port: server.port, tls: 'off' })
      onTestFinished(() => pool.close())
      const foreign = Buffer.from(`From: a@sender.test\r\nSubject: foreign\r\n\r\n${SMUGGLED}end`)
      const envelope = { from: 'a@sender.test', to: 'p2@real.test' }
      expect(await pool.send(envelope, [foreign])).toMatchObject({ outcome: 'sent' })

      const mails = queued()
      expect(mails).toHaveLength(2)
      expect(mails.map(subjects)).toEqual([1, 1])
      const [ours = Buffer.alloc(0)] = mails.filter(mail => !mail.includes('Subject: foreign'))
      const arrival = { ip: '127.0.0.1', helo: HOP.name, host: 'mx.real.test' }
      const verdict = await authenticateMail(ours, { ...arrival, sender: hostile.envelope.from }, resolveTest)
      expect(verdict.dkim.map(({ result }) => result)).toEqual(['pass', 'pass'])
      expect(verdict.dmarc).toMatchObject({ result: 'pass' })
    },
  )

  it.skipIf(isMissing || !mta.hasTls)('accepts chunks over TLS with a verified certificate', async () => {
    const mails = await renderMails(10)
    const tlsOptions = { ca: TEST_CERTIFICATE.cert, servername: 'localhost' }
    const pool = createPool({ ...HOP, port: server.port, tls: 'required', tlsOptions, chunking: true })
    const outcomes = await Promise.all(
      mails.map(({ envelope, bytes }) => pool.send(envelope, bytes, { prepared: true })),
    )
    await pool.close()
    expect(outcomes.filter(({ outcome }) => outcome !== 'sent')).toEqual([])
    expectSame(queued(), mails)

    const wary = createPool({ ...HOP, port: server.port, tls: 'required' })
    const { envelope, bytes } = await renderTest(testSnapshot(MESSAGE), {}, 'p1@real.test')
    const untrusted = await wary.send(envelope, bytes, { prepared: true })
    await wary.close()
    expect(untrusted).toMatchObject({ outcome: 'deferred', phase: 'tls' })
  })

  it.skipIf(isMissing)('accepts an address outside ASCII, or is not offered it without support', async () => {
    const send = openRelay(server)
    const mail = await renderTest(testSnapshot(MESSAGE), {}, 'jörg@real.test')
    const ascii = await renderTest(testSnapshot(MESSAGE), {}, 'joerg@real.test')
    const [outcome] = await Promise.all([send(mail), send(ascii)])
    if (mta.hasUtf8) {
      expect(outcome).toMatchObject({ kind: 'sent' })
      const mails = queued()
      expectSame(mails, [mail, ascii])
      const arrival = { ip: '127.0.0.1', helo: HOP.name, host: 'mx.real.test', sender: mail.envelope.from }
      for (const taken of mails)
        expect(await authenticateMail(taken, arrival, resolveTest)).toMatchObject({
          dkim: [{ result: 'pass' }, { result: 'pass' }],
          dmarc: { result: 'pass' },
        })
      return
    }
    const text = 'The server cannot take addresses outside ASCII (SMTPUTF8).'
    const reply = { code: null, enhanced: '5.6.7', class: 'content', hard: false, text }
    expect(outcome).toEqual({ kind: 'rejected', reply })
    expectSame(queued(), [ascii])
  })
})

/** Lines that begin with dots, in both parts and in the header. */
const MESSAGE = {
  message: {
    subject: '.{{ member.firstname }}',
    html: '<p>\n.\n..\n{{ member.firstname }}\n.{{ member.firstname }}</p>',
    text: '.\n..\n{{ member.firstname }}\n.{{ member.firstname }}\n.\n',
  },
}

const SMUGGLED = FALSE_ENDS.map(end => smuggledMail(end, 'p9@real.test')).join('')

const HOP = { host: '127.0.0.1', name: 'engine.test', connections: 2 }

type Mail = Awaited<ReturnType<typeof renderTest>>

function renderMails(count: number): Promise<Mail[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      renderTest(testSnapshot(MESSAGE), { firstname: `mail-${index}-end` }, `p${index}@real.test`),
    ),
  )
}

/** Opens a transport with the server as relay, like a mail class. */
function openRelay({ port }: RunningMta) {
  const transport = openTransport(
    { transport: 'smtp', connections: 2, host: HOP.host, port, tls: 'none', auth: null },
    { testbed: { host: HOP.host, port: 1 }, realDelivery: false, helo: HOP.name, allowPrivate: true },
  )
  onTestFinished(() => transport.close())
  return ({ envelope, bytes }: Mail) => transport.send(envelope, bytes)
}

/** Each message is queued once, byte for byte after the server's own fields, and no other one. */
function expectSame(queued: readonly Buffer[], mails: readonly Mail[]): void {
  expect(queued).toHaveLength(mails.length)
  const texts = queued.map(latin1)
  for (const { raw } of mails) expect(texts.filter(text => text.endsWith(latin1(raw)))).toHaveLength(1)
}

function latin1(mail: Buffer): string {
  return mail.toString('latin1')
}

function subjects(mail: Buffer): number {
  const [header = ''] = latin1(mail).split('\r\n\r\n', 1)
  return readFields(header.split('\r\n')).filter(({ name }) => name === 'Subject').length
}
