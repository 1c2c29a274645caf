import { readFields } from '@emma/mail/mime/test-strict-mail.ts'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { authenticateMail } from '@emma/testbed/authenticate-mail.ts'
import { FALSE_ENDS, smuggledMail } from '@emma/testbed/test-smuggling.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderTest, resolveTest, testSnapshot } from '../3-render/test-mail.ts'
import { EXIM, type Mta, OPENSMTPD, POSTFIX, startMta } from './test-mta.ts'
import { openTransport } from './transport.ts'

describe.each<[string, Mta, { utf8: boolean }]>([
  ['postfix', POSTFIX, { utf8: true }],
  ['exim4', EXIM, { utf8: true }],
  ['opensmtpd', OPENSMTPD, { utf8: false }],
])('%s as the next hop', (_name, mta, { utf8 }) => {
  const isMissing = mta.start === null

  it.skipIf(isMissing)(
    'takes mails over pipelined connections byte for byte, and its refusals are understood',
    async () => {
      const { queue, send } = await open(mta)
      const mails = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          renderTest(testSnapshot(MESSAGE), { firstname: `mail-${index}-end` }, `p${index}@real.test`),
        ),
      )
      const refused = await renderTest(testSnapshot(MESSAGE), {}, 'nobody@real.test')
      const outcomes = await Promise.all([...mails, refused].map(send))
      expect(outcomes.slice(0, 20).map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'sent'))
      expect(outcomes[20]).toMatchObject({
        kind: 'rejected',
        reply: { code: 550, class: 'bad-mailbox', hard: true },
      })
      const queued = queue()
      expect(queued).toHaveLength(20)
      for (const { raw } of mails)
        expect(queued.filter(mail => mail.toString('latin1').endsWith(raw.toString('latin1')))).toHaveLength(
          1,
        )
    },
    60_000,
  )

  it.skipIf(isMissing)(
    'keeps both signatures valid, and one mail one mail whatever is in it',
    async () => {
      const { queue, send, port } = await open(mta)
      const hostile = await renderTest(testSnapshot(MESSAGE), { firstname: SMUGGLED }, 'p1@real.test')
      expect((await send(hostile)).kind).toBe('sent')
      // What is no mail of ours is brought into the form of the wire.
      const pool = createPool({ host: '127.0.0.1', port, name: 'engine.test', tls: 'off', connections: 1 })
      onTestFinished(() => pool.close())
      const foreign = Buffer.from(`From: a@sender.test\r\nSubject: foreign\r\n\r\n${SMUGGLED}end`)
      const envelope = { from: 'a@sender.test', to: 'p2@real.test' }
      expect(await pool.send(envelope, [foreign])).toMatchObject({ outcome: 'sent' })

      const queued = queue()
      expect(queued).toHaveLength(2)
      expect(queued.map(subjects)).toEqual([1, 1])
      const [ours = Buffer.alloc(0)] = queued.filter(mail => !mail.includes('Subject: foreign'))
      const arrival = {
        sender: hostile.envelope.from,
        ip: '127.0.0.1',
        helo: 'engine.test',
        host: 'mx.real.test',
      }
      const verdict = await authenticateMail(ours, arrival, resolveTest)
      expect(verdict.dkim.map(({ result }) => result)).toEqual(['pass', 'pass'])
      expect(verdict.dmarc).toMatchObject({ result: 'pass' })
    },
    60_000,
  )

  it.skipIf(isMissing)(
    'takes an address outside ASCII, or is not offered it where it cannot',
    async () => {
      const { queue, send } = await open(mta)
      const mail = await renderTest(testSnapshot(MESSAGE), {}, 'jörg@real.test')
      const ascii = await renderTest(testSnapshot(MESSAGE), {}, 'joerg@real.test')
      const outcomes = await Promise.all([send(mail), send(ascii)])
      expect(outcomes[1]).toMatchObject({ kind: 'sent' })
      expect(outcomes[0]).toMatchObject(
        utf8 ? { kind: 'sent' } : { kind: 'rejected', reply: { hard: false, text: /SMTPUTF8/ } },
      )
      expect(queue()).toHaveLength(utf8 ? 2 : 1)
    },
    60_000,
  )
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

async function open(mta: Mta) {
  const { folder, port } = await startMta(mta)
  const transport = openTransport(
    { transport: 'smtp', connections: 2, host: '127.0.0.1', port, tls: 'none', auth: null },
    { testbed: { host: '127.0.0.1', port: 1 }, realDelivery: false, helo: 'engine.test' },
  )
  onTestFinished(() => transport.close())
  const send = ({ envelope, bytes }: Awaited<ReturnType<typeof renderTest>>) =>
    transport.send(envelope, bytes)
  return { port, send, queue: () => mta.queued(folder) }
}

function subjects(mail: Buffer): number {
  const [header = ''] = mail.toString('latin1').split('\r\n\r\n', 1)
  return readFields(header.split('\r\n')).filter(({ name }) => name === 'Subject').length
}
