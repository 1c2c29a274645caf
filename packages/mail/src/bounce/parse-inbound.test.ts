import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInbound } from './parse-inbound.ts'

const parse = (...lines: string[]) => parseInbound(Buffer.from(lines.join('\n')))

const ORIGINAL = [
  'Return-Path: <b-tok@bounce.example.com>',
  'Message-ID: <c17.m4@example.com>',
  'From: News <news@example.com>',
  'To: anna@example.net',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  'CFBL-Feedback-ID: tok',
  '',
  'Hello Anna',
]
const DAEMON = [
  'Return-Path: <>',
  'From: Mail Delivery System <MAILER-DAEMON@mx.example.org>',
  'To: b-tok@bounce.example.com',
]

function multipart(type: string, header: string[], ...parts: string[][]): string[] {
  const body = parts.flatMap(part => ['--=_x', ...part])
  return [...header, 'MIME-Version: 1.0', `Content-Type: ${type}; boundary="=_x"`, '', ...body, '--=_x--']
}

function deliveryReport(fields: string[], text: string[] = ['See below.']): string[] {
  return multipart(
    'multipart/report; report-type=delivery-status',
    [...DAEMON, 'Subject: Delivery Status Notification'],
    ['Content-Type: text/plain', '', ...text],
    ['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.org', '', ...fields],
    ['Content-Type: message/rfc822', '', ...ORIGINAL],
  )
}

const unresolved = (status: string) => [
  'Final-Recipient: rfc822;anna@example.net',
  'Action: failed',
  `Status: ${status}`,
  'Diagnostic-Code: X-MTA; Host or domain name not found',
]

const unknownUserAfter = (phase: string) =>
  parse(
    ...deliveryReport(
      ['Final-Recipient: rfc822;anna@example.net', 'Action: failed', 'Status: 5.0.0'],
      [
        `<anna@example.net>: host mx.example.net[192.0.2.1] said: 550 Unknown user (in reply to ${phase} command)`,
      ],
    ),
  )

describe('a report with fields (RFC 3464)', () => {
  it('returns recipient, codes, class and the original message', () => {
    const mail = parse(
      ...deliveryReport([
        'Original-Recipient: rfc822;anna@example.net',
        'Final-Recipient: rfc822; Anna@Example.net',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 <anna@example.net>: Recipient address',
        '    rejected: User unknown in virtual mailbox table',
      ]),
    )
    expect(mail).toMatchObject({
      kind: 'bounce',
      originalMessageId: 'c17.m4@example.com',
      originalHeaders: { subject: 'Grüße', 'cfbl-feedback-id': 'tok' },
      recipients: [
        {
          address: 'Anna@Example.net',
          action: 'failed',
          status: '5.1.1',
          reply: 550,
          class: 'bad-mailbox',
          hard: true,
        },
      ],
    })
    expect(mail.recipients[0]?.diagnostic).toBe(
      '550 5.1.1 <anna@example.net>: Recipient address rejected: User unknown in virtual mailbox table',
    )
  })

  it.each([
    ['delayed', 'Status: 4.4.1', 'delayed', 'delayed'],
    ['delivered', 'Status: 2.0.0', 'delivered', 'delivered'],
    ['relayed', 'Status: 2.0.0', 'delivered', 'delivered'],
    ['expanded', 'Status: 2.0.0', 'delivered', 'delivered'],
    ['failed', 'Status: 5.0.0', 'bounce', 'failed'],
  ])('reads the action %s', (word, status, kind, action) => {
    const mail = parse(
      ...deliveryReport(['Final-Recipient: rfc822;a@example.net', `Action: ${word}`, status]),
    )
    expect(mail).toMatchObject({ kind, recipients: [{ action, hard: false }] })
  })

  it('returns several recipients in order, each with its own diagnostic text', () => {
    const mail = parse(
      ...deliveryReport(
        [
          'Final-Recipient: rfc822;anna@example.net',
          'Action: failed',
          'Status: 5.0.0',
          '',
          'Final-Recipient: rfc822;berta@example.net',
          'Action: failed',
          'Status: 5.0.0',
        ],
        [
          '<anna@example.net>: host mx.example.net[192.0.2.1] said: 552 5.2.2 Mailbox full',
          '    (in reply to RCPT TO command)',
          '<berta@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 User unknown',
          '    (in reply to RCPT TO command)',
        ],
      ),
    )
    expect(mail.recipients).toMatchObject([
      { address: 'anna@example.net', class: 'quota', hard: false, status: '5.2.2' },
      { address: 'berta@example.net', class: 'bad-mailbox', hard: true, status: '5.1.1' },
    ])
  })

  it('accepts fields in one block, in another order, or as plain text', () => {
    const fields = ['Action: failed', 'Final-Recipient: rfc822; a@example.net', 'Status: 5.2.2']
    const twice = [...fields, '', ...fields.map(line => line.replace('a@', 'b@'))]
    expect(parse(...deliveryReport(twice)).recipients).toMatchObject([
      { address: 'a@example.net' },
      { address: 'b@example.net' },
    ])
    const asText = parse(
      ...DAEMON,
      'Subject: Failure',
      '',
      'Technical report:',
      '',
      'Reporting-MTA: dns; x',
      ...fields,
    )
    expect(asText).toMatchObject({
      kind: 'bounce',
      recipients: [{ address: 'a@example.net', class: 'quota' }],
    })
  })

  it('trusts "user unknown" of a filter after DATA less than a reply to RCPT', () => {
    expect(unknownUserAfter('RCPT TO').recipients).toMatchObject([{ class: 'bad-mailbox', hard: true }])
    expect(unknownUserAfter('end of DATA').recipients).toMatchObject([{ class: 'filtered', hard: false }])
  })

  it('does not count a domain that cannot be resolved as a hard bounce', () => {
    expect(parse(...deliveryReport(unresolved('5.1.2'))).recipients).toMatchObject([
      { class: 'bad-domain', hard: true },
    ])
    expect(parse(...deliveryReport(unresolved('4.1.2'))).recipients).toMatchObject([
      { class: 'connection', hard: false },
    ])
  })
})

describe('a report in prose', () => {
  it.each([
    [
      'Exim',
      [
        'X-Failed-Recipients: anna@example.net',
        'Auto-Submitted: auto-replied',
        'Subject: Mail delivery failed: returning message to sender',
      ],
      [
        'A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.',
        '',
        '  anna@example.net',
        '    host mx.example.net [192.0.2.1]',
        '    SMTP error from remote mail server after RCPT TO:<anna@example.net>:',
        '    550 no such user',
        '',
        '------ This is a copy of the message, including all the headers. ------',
        '',
      ],
      { class: 'bad-mailbox', hard: true, reply: 550 },
    ],
    [
      'qmail',
      ['Subject: failure notice'],
      [
        'Hi. This is the qmail-send program at mx.example.org.',
        '',
        '<anna@example.net>:',
        '192.0.2.1 does not like recipient.',
        'Remote host said: 552 5.2.2 over quota',
        'Giving up on 192.0.2.1.',
        '',
        '--- Below this line is a copy of the message.',
        '',
      ],
      { class: 'quota', hard: false, status: '5.2.2' },
    ],
    [
      'Sendmail',
      ['Subject: Returned mail: see transcript for details'],
      [
        '   ----- The following addresses had permanent fatal errors -----',
        '<anna@example.net>',
        '',
        '   ----- Transcript of session follows -----',
        '... while talking to mx.example.net.:',
        '>>> MAIL From:<b-tok@bounce.example.com>',
        '<<< 550 5.7.1 Client host rejected: cannot find your reverse hostname',
        '',
        '   ----- Original message follows -----',
        '',
      ],
      { class: 'reputation', hard: false },
    ],
    [
      'Domino',
      ['Subject: DELIVERY FAILURE: User Anna not listed in Domino Directory'],
      [
        'Your message',
        '',
        '  Subject: Hello',
        '',
        'was not delivered to:',
        '',
        '  anna@example.net',
        '',
        'because:',
        '',
        '  User Anna (anna@example.net) not listed in Domino Directory',
        '',
      ],
      { class: 'bad-mailbox', hard: true },
    ],
    [
      'an old Exchange',
      ['Subject: Undeliverable: Hello'],
      [
        'Your message did not reach some or all of the intended recipients.',
        '',
        '      anna@example.net on 4/29/2026 11:34 PM',
        "            The recipient's mailbox is full",
        '',
      ],
      { class: 'quota', hard: false },
    ],
    [
      'a gateway that stopped retrying',
      ['Subject: Undeliverable Mail'],
      ['Delivery failed 20 attempts: anna@example.net', '', 'Original message follows.', ''],
      { class: 'connection', hard: false },
    ],
    [
      'a German system',
      ['Subject: Unzustellbar: Hallo'],
      [
        'Ihre Nachricht konnte nicht zugestellt werden:',
        '',
        'anna@example.net',
        '550 5.1.1 Empfänger unbekannt',
        '',
      ],
      { class: 'bad-mailbox', hard: true },
    ],
  ])('of %s', (_, header, text, expected) => {
    const mail = parse(
      ...DAEMON,
      ...header,
      'Content-Type: text/plain; charset=utf-8',
      '',
      ...text,
      ...ORIGINAL,
    )
    expect(mail).toMatchObject({ kind: 'bounce', recipients: [{ address: 'anna@example.net', ...expected }] })
    expect(mail.recipients).toHaveLength(1)
    expect(mail.originalMessageId).toBe('c17.m4@example.com')
  })

  it('of Gmail, HTML only', () => {
    const mail = parse(
      ...DAEMON,
      'X-Failed-Recipients: anna@example.net',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<html><style>td{color:red}</style><table><tr><td><h2>Address not found</h2></td></tr><tr><td>Your message =',
      'wasn&#39;t delivered to <a href=3D"mailto:anna@example.net">anna@example.net</a> because the address couldn&#39;t be found.</td></tr></table>',
    )
    expect(mail).toMatchObject({
      kind: 'bounce',
      recipients: [{ address: 'anna@example.net', class: 'bad-mailbox' }],
    })
  })

  it('in Japanese, with and without declared charset', () => {
    const text = Buffer.from('GyRCJUclIyVsJS8lSCVqJE4laiU5JUgkSyQiJGokXiQ7JHMbKEI=', 'base64')
    const raw = Buffer.concat([
      Buffer.from([...DAEMON, 'Subject: Undeliverable', '', 'anna@example.net', ''].join('\n')),
      text,
    ])
    expect(parseInbound(raw)).toMatchObject({ kind: 'bounce', recipients: [{ class: 'bad-mailbox' }] })
  })

  it('of Amazon SES as JSON, in broken lines', () => {
    const json = JSON.stringify({
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [
          {
            emailAddress: 'anna@example.net',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          },
        ],
      },
    })
    const mail = parse(
      'From: no-reply@sns.amazonaws.com',
      'Subject: Notification',
      '',
      `${json.slice(0, 90)}!\n ${json.slice(90)}`,
      '',
      '--',
      'bye',
    )
    expect(mail).toMatchObject({
      kind: 'bounce',
      recipients: [{ address: 'anna@example.net', class: 'bad-mailbox', hard: true }],
    })
  })
})

describe('a complaint', () => {
  it('in the Abuse Reporting Format: type, recipients and original', () => {
    const mail = parse(
      ...multipart(
        'multipart/report; report-type=feedback-report',
        ['From: fbl@example.org', 'To: fbl@example.com', 'Subject: FW: Hello'],
        ['Content-Type: text/plain', '', 'This is an email abuse report.'],
        [
          'Content-Type: message/feedback-report',
          '',
          'Feedback-Type: abuse',
          'User-Agent: X/1',
          'Version: 1',
          'Original-Rcpt-To: <anna@example.net>',
          'Original-Rcpt-To: berta@example.net',
        ],
        ['Content-Type: message/rfc822', '', ...ORIGINAL],
      ),
    )
    expect(mail).toMatchObject({
      kind: 'complaint',
      feedbackType: 'abuse',
      recipients: [{ address: 'anna@example.net', hard: false }, { address: 'berta@example.net' }],
      originalMessageId: 'c17.m4@example.com',
      originalHeaders: { 'return-path': '<b-tok@bounce.example.com>', 'cfbl-feedback-id': 'tok' },
    })
  })

  it.each([
    ['abuse', 'complaint'],
    ['fraud', 'complaint'],
    ['virus', 'complaint'],
    ['other', 'complaint'],
    ['opt-out', 'unsubscribe'],
    ['not-spam', 'feedback'],
    ['auth-failure', 'feedback'],
    ['dmarc', 'feedback'],
    ['X-Unregistered', 'feedback'],
  ])('type %s is a report of kind %s', (type, kind) => {
    const report = [
      'Content-Type: message/feedback-report',
      '',
      `Feedback-Type: ${type}`,
      'User-Agent: X/1',
      'Version: 1',
    ]
    const header = ['From: fbl@example.org', 'Subject: FW: Hello']
    const attached = ['Content-Type: message/rfc822', '', ...ORIGINAL]
    const mail = parse(
      ...multipart('multipart/report; report-type=feedback-report', header, report, attached),
    )
    expect(mail).toMatchObject({ kind, feedbackType: type.toLowerCase() })
  })

  it('of Microsoft is the message itself with a header field', () => {
    const mail = parse(
      ...multipart(
        'multipart/mixed',
        ['From: staff@hotmail.com', 'Subject: complaint about message from 192.0.2.1'],
        ['Content-Type: message/rfc822', '', 'X-HmXmrOriginalRecipient: anna@example.net', ...ORIGINAL],
      ),
    )
    expect(mail).toMatchObject({
      kind: 'complaint',
      feedbackType: 'abuse',
      recipients: [{ address: 'anna@example.net' }],
    })
  })
})

describe('a message that is not a report', () => {
  it.each([
    [
      'auto-reply',
      ['Auto-Submitted: auto-replied', 'Subject: Re: Hello'],
      'I am back on Monday. Mail to me will not be delivered.',
    ],
    ['auto-reply', ['Precedence: auto_reply', 'Subject: Hello'], 'Thank you.'],
    ['auto-reply', ['X-Autoreply: yes', 'Subject: Hello'], 'Thank you.'],
    ['auto-reply', ['Subject: Automatische Antwort: Hallo'], 'Ich bin nicht im Haus.'],
    ['auto-reply', ['Subject: Out of Office: Hello'], 'Back on Monday.'],
    ['auto-reply', ['Subject: =?UTF-8?Q?R=C3=A9ponse_automatique?='], 'Bonjour'],
    ['auto-reply', ['Return-Path: <>', 'Subject: Abwesenheitsnotiz'], 'Ihre Mail wird nicht gelesen.'],
    ['unsubscribe', ['Subject: unsubscribe'], ''],
    [
      'unsubscribe',
      ['Auto-Submitted: auto-replied', 'Subject: Unsubscribe'],
      'Mail sent this to unsubscribe.',
    ],
    ['unsubscribe', ['Subject: Abmelden'], 'Bitte keine Mails mehr.'],
    ['unsubscribe', ['Subject: Re: Unsubscribe me, please!'], ''],
    ['unsubscribe', ['Subject: Abmeldung vom Newsletter'], ''],
    ['unsubscribe', ['Subject: Darse de baja de la lista'], ''],
    ['unsubscribe', ['Subject: Se désabonner'], ''],
    ['unsubscribe', ['Subject: =?UTF-8?B?6YWN5L+h5YGc5q2i?='], ''],
    ['auto-reply', ['Auto-Submitted: auto-replied', 'Subject: Re: Baja de precios: hasta -50 %'], 'Hola'],
    ['auto-reply', ['Auto-Submitted: auto-replied', 'Subject: Re: Unsubscribe'], 'I am away.'],
    ['auto-reply', ['Auto-Submitted: auto-replied', 'In-Reply-To: <c@x>', 'Subject: Baja'], 'Hola'],
    ['auto-reply', ['Subject: AW: Abmeldung', 'X-Autoreply: yes'], 'Ich bin nicht da.'],
    ['other', ['Subject: Re: Baja de precios: hasta -50 %'], 'Me interesa.'],
    ['other', ['Subject: Re: Remove stains for good'], 'How much is it?'],
    ['other', ['Subject: AW: Abmeldung vom Stress'], 'Schöner Artikel.'],
    ['other', ['Subject: Re: Cancellation policy of your list'], 'Does it apply to me?'],
    [
      'other',
      ['Subject: Re: Your offer'],
      'I could not be happier. My last mail could not be delivered, it seems.',
    ],
    [
      'other',
      ['Subject: Your parcel: delivery delayed'],
      'The parcel could not be delivered. We try again tomorrow.',
    ],
    [
      'other',
      ['Subject: Re: Hello'],
      'Does it work?\n\n----- Original message -----\nFrom: News <news@example.com>\n\nYour address could not be delivered.',
    ],
    ['other', ['Subject: Invoice 550'], '550 5 boxes of paper'],
    ['other', [], ''],
  ])('is %s: %j', (kind, header, text) => {
    expect(
      parse('From: Anna <anna@example.net>', 'To: b-tok@bounce.example.com', ...header, '', text).kind,
    ).toBe(kind)
  })
})

describe('malicious messages', () => {
  it('never throws, and always returns the same shape', () => {
    const word = fc.constantFrom(
      'Content-Type: multipart/report; boundary="x"',
      'Content-Type: message/rfc822',
      'Content-Type: message/delivery-status',
      '--x',
      '--x--',
      'Final-Recipient: rfc822; a@b.de',
      'Status: 5.1.1',
      'Action: failed',
      'From: <>',
      'Feedback-Type: abuse',
      'Content-Transfer-Encoding: base64',
      '=?utf-8?q?=FF?=',
      '{"notificationType":"Bounce"}',
      '>>> RCPT TO:<a@b.de>',
      '550 5.1.1',
      '',
      ' ',
    )
    const lines = fc.array(fc.oneof(word, fc.string({ unit: 'binary' })), { maxLength: 40 })
    fc.assert(
      fc.property(lines, fc.uint8Array({ maxLength: 50 }), (text, bytes) => {
        const mail = parseInbound(Buffer.concat([Buffer.from(text.join('\n')), Buffer.from(bytes)]))
        expect(mail.recipients).toBeInstanceOf(Array)
        for (const recipient of mail.recipients) expect(recipient.diagnostic.length).toBeLessThanOrEqual(1000)
      }),
      { numRuns: 500 },
    )
  })

  // Each of these takes minutes with a regular expression that backtracks.
  it.each([
    ['dashes', '-'.repeat(1_000_000)],
    ['spaces', `a${' '.repeat(1_000_000)}b`],
    ['at signs', 'a@'.repeat(500_000)],
    ['addresses', 'a@b.de '.repeat(150_000)],
    ['angle brackets', '<'.repeat(500_000)],
    ['open style elements', `Content-Type: text/html\n\n${'<style>'.repeat(100_000)}`],
    [
      'pages',
      `Content-Type: multipart/mixed; boundary=x\n\n${`--x\nContent-Type: text/html\n\n${'<b@c>'.repeat(13_000)}\n`.repeat(100)}`,
    ],
    ['header lines', 'X-A: b\n'.repeat(150_000)],
    ['folds', `Subject: a${'\n b'.repeat(300_000)}`],
    ['parts', `Content-Type: multipart/mixed; boundary=x\n\n${'--x\n\n'.repeat(100_000)}`],
    ['levels', 'Content-Type: message/rfc822\n\n'.repeat(20_000)],
    [
      'recipients',
      `Content-Type: message/delivery-status\n\n${'Final-Recipient: rfc822;a@b.de\nAction: failed\n\n'.repeat(20_000)}`,
    ],
    [
      'words',
      `From: mailer-daemon\nSubject: failure\n\n${'user mailbox is not message delivery could not be '.repeat(5_000)}`,
    ],
    ['encoded words', `Subject: ${'=?utf-8?q?a?= '.repeat(50_000)}`],
    ['symbols in a subject', `Subject: ${'@'.repeat(250_000)}\n\nHello`],
    ['text without spaces', `Subject: failure\n\n${'превышен'.repeat(100_000)}`],
    ['symbols of no alphabet', `Subject: failure\n\n${'已'.repeat(300_000)}`],
    ['dots', `From: mailer-daemon\nSubject: failure\n\n${'5.1.'.repeat(200_000)}`],
  ])('parses a million %s in bounded time', (_, text) => {
    const raw = Buffer.from(`From: MAILER-DAEMON@example.org\n${text}`)
    expect(parseInbound(raw).recipients.length).toBeLessThanOrEqual(1000)
  })
})

const REAL = join(import.meta.dirname, '../../../../../shared/data/bounces')

describe('real mail', () => {
  it.skipIf(!existsSync(REAL))('is never classified as a bounce (skipped if the corpus is missing)', () => {
    const files = readdirSync(REAL).filter(name => name.endsWith('.eml'))
    const missed = files.filter(name => parseInbound(readFileSync(join(REAL, name))).kind === 'other')
    expect(missed).toEqual([])
  })
})
