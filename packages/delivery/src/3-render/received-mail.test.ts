import { findMailFaults, readFields } from '@emma/mail/test/strict-mail.ts'
import { authenticateMail } from '@emma/testbed/authenticate-mail.ts'
import { hasOpendkim, opendkimVerdicts } from '@emma/testbed/test/opendkim.ts'
import { describe, expect, it } from 'vitest'
import type { CampaignSnapshot } from '../model/campaign-snapshot.ts'
import { renderTest, resolveTest, TEST_DOMAIN, TEST_RECORDS, testSnapshot } from '../test/sample-mail.ts'

/** How other programs verify the messages that the engine writes. */

const MAILS: [string, CampaignSnapshot, string?][] = [
  ['a newsletter', testSnapshot()],
  [
    'a text mail',
    testSnapshot({ message: { html: '', text: 'Hello {{ member.firstname }}\n\n.\n\nBye\n\n' } }),
  ],
  [
    'a mail of one picture',
    testSnapshot({ message: { html: '<img src="https://shop.example/a.png">\n\n' } }),
  ],
  ['a transactional mail', testSnapshot({ campaign: { type: 3 } })],
  [
    'a mail in Arabic with emoji and long lines',
    testSnapshot({
      message: {
        subject: 'مرحبا 👩‍👩‍👧‍👦 {{ member.firstname }}',
        html: `<p>${'مرحبا بكم في متجرنا '.repeat(200)}</p>`,
      },
      sender: { name: 'متجر', replyTo: null },
    }),
  ],
  [
    'a mail with an attachment',
    testSnapshot({
      message: {
        attachments: [
          { path: '/files/4/a.pdf', name: 'Preisliste März.pdf', mime_type: 'application/pdf', size: 20_000 },
        ],
      },
    }),
  ],
  ['a mail to an internationalised domain', testSnapshot(), 'anna@käfer.example'],
  ['a mail to an address that needs SMTPUTF8', testSnapshot(), 'jörg@käfer.example'],
  [
    'a mail with long names',
    testSnapshot({ sender: { name: 'Name '.repeat(50).trim() }, client: { name: 'Größe '.repeat(40) } }),
  ],
]

const ARRIVAL = { ip: '127.0.0.1', helo: 'mail.sender.test', host: 'mx.example.net' }

describe.each(MAILS)('%s', (_, snapshot, to) => {
  it('complies with RFC 5322, 2047 and 2045', async () => {
    const { raw, envelope } = await renderTest(snapshot, undefined, to)
    expect(findMailFaults(raw, { utf8: envelope.smtpUtf8 ?? false })).toEqual([])
    expect(envelope.smtpUtf8).toBe(to === 'jörg@käfer.example')
  })

  it('passes DKIM with both keys, SPF and DMARC, each aligned', async () => {
    const { raw, envelope } = await renderTest(snapshot, undefined, to)
    const verdict = await authenticateMail(raw, { ...ARRIVAL, sender: envelope.from }, resolveTest)
    expect(verdict.dkim).toMatchObject([
      { domain: TEST_DOMAIN, algorithm: 'rsa-sha256', result: 'pass' },
      { domain: TEST_DOMAIN, algorithm: 'ed25519-sha256', result: 'pass' },
    ])
    expect(verdict.spf).toEqual({ domain: `bounce.${TEST_DOMAIN}`, result: 'pass' })
    expect(verdict.dmarc).toEqual({ domain: TEST_DOMAIN, result: 'pass', policy: 'reject' })
  })

  it('passes DMARC with SPF only and with DKIM only', async () => {
    const { raw, envelope } = await renderTest(snapshot, undefined, to)
    const elsewhere = { ...ARRIVAL, ip: '192.0.2.1', sender: envelope.from }
    const forwarded = await authenticateMail(raw, elsewhere, resolveTest)
    expect([forwarded.spf?.result, forwarded.dmarc?.result]).toEqual(['fail', 'pass'])
    const changed = Buffer.concat([raw, Buffer.from('added by a list\r\n')])
    const relayed = await authenticateMail(changed, { ...ARRIVAL, sender: envelope.from }, resolveTest)
    expect(relayed.dkim.every(({ result }) => result !== 'pass')).toBe(true)
    expect([relayed.spf?.result, relayed.dmarc?.result]).toEqual(['pass', 'pass'])
  })
})

describe('a signature', () => {
  it.each([
    'From: evil@example.org',
    'To: victim@example.org',
    'Cc: victim@example.org',
    'Subject: Won',
    'Reply-To: evil@example.org',
    'Date: Sat, 21 Nov 2026 06:00:00 +0000',
    'Message-ID: <1@example.org>',
    'MIME-Version: 1.0',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: base64',
    'List-Unsubscribe: <https://evil.example.org/>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ])('detects an added field: %s', async field => {
    for (const snapshot of [testSnapshot(), testSnapshot({ campaign: { type: 3 } })]) {
      const { raw, envelope } = await renderTest(snapshot)
      const changed = Buffer.concat([Buffer.from(`${field}\r\n`), raw])
      const arrival = { ...ARRIVAL, ip: '192.0.2.1', sender: envelope.from }
      const { dkim } = await authenticateMail(changed, arrival, resolveTest)
      expect(dkim.map(({ result }) => result === 'pass')).toEqual([false, false])
    }
  })
})

describe('an internationalized domain', () => {
  it('is sent as A-labels, so that only the local part can need SMTPUTF8', async () => {
    const { envelope, raw } = await renderTest(testSnapshot(), undefined, 'Anna@Käfer.example')
    expect(envelope).toMatchObject({ to: 'Anna@xn--kfer-loa.example', smtpUtf8: false })
    expect(raw.includes('To: Anna@xn--kfer-loa.example\r\n')).toBe(true)
    const utf8 = await renderTest(testSnapshot(), undefined, 'jörg@käfer.example')
    expect(utf8.envelope).toMatchObject({ to: 'jörg@xn--kfer-loa.example', smtpUtf8: true })
  })
})

describe('one-click unsubscribe (RFC 8058)', () => {
  it('occurs once in every bulk message, over HTTPS, and is covered by every signature', async () => {
    const fields = await headerOf(testSnapshot())
    expect(valuesOf(fields, 'List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click'])
    expect(valuesOf(fields, 'List-Unsubscribe')).toEqual([
      expect.stringMatching(
        /^<https:\/\/t\.sender\.test\/u\/[\w-]+>, <mailto:u-[a-z2-7]+@bounce\.sender\.test>$/,
      ),
    ])
    const signatures = valuesOf(fields, 'DKIM-Signature')
    expect(signatures).toHaveLength(2)
    for (const signature of signatures) {
      const [, names = ''] = /; h=([^;]*);/.exec(signature) ?? []
      const signed = names.replaceAll(' ', '').split(':')
      expect(signed).toEqual(expect.arrayContaining(['from', 'list-unsubscribe', 'list-unsubscribe-post']))
    }
  })

  it('is omitted from transactional mail', async () => {
    const fields = await headerOf(testSnapshot({ campaign: { type: 3 } }))
    expect(fields.filter(({ name }) => name.startsWith('List-Unsubscribe'))).toEqual([])
    expect(valuesOf(fields, 'Auto-Submitted')).toEqual(['auto-generated'])
  })
})

describe.skipIf(!hasOpendkim)('opendkim', () => {
  it.each(MAILS)('verifies both signatures of %s', async (_, snapshot, to) => {
    const { raw } = await renderTest(snapshot, undefined, to)
    expect(opendkimVerdicts(raw, TEST_RECORDS)).toEqual([
      `pass ${TEST_DOMAIN} rsa-sha256`,
      `pass ${TEST_DOMAIN} ed25519-sha256`,
    ])
  })

  it('detects a changed one-click field', async () => {
    const { raw } = await renderTest(testSnapshot())
    const changed = Buffer.from(raw.toString('latin1').replace('One-Click', 'Two-Click'), 'latin1')
    const verdicts = opendkimVerdicts(changed, TEST_RECORDS)
    expect(verdicts.map(verdict => verdict.startsWith('pass'))).toEqual([false, false])
  })
})

async function headerOf(snapshot: CampaignSnapshot) {
  const { raw } = await renderTest(snapshot)
  const [header = ''] = raw.toString('latin1').split('\r\n\r\n', 1)
  return readFields(header.split('\r\n'))
}

function valuesOf(fields: readonly { name: string; value: string }[], name: string): string[] {
  return fields.filter(field => field.name === name).map(({ value }) => value)
}
