import { describe, expect, it, onTestFinished } from 'vitest'
import { type ApiEsp, apiEsps, type ApiLogin } from './esp-login.ts'
import { createEspTransport } from './esp-transport.ts'
import { startTestService, TEST_SECRET, TEST_USER } from '../../test/esp-services.ts'

const FROM = 'b-abcdefgh@bounce.sender.test'
const MAIL = [
  Buffer.from(
    [
      'From: =?utf-8?q?J=C3=BCrgens_Laden?= <news@sender.test>',
      'To: ann@gmx.test',
      'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
      'Message-ID: <abc@sender.test>',
      'Date: Sat, 21 Nov 2026 06:00:00 +0000',
      'List-Unsubscribe: <https://t.sender.test/u/abc>, <mailto:u-abc@sender.test>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Sch=C3=B6n',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p>Sch=C3=B6n</p>',
      '--x--',
      '',
    ].join('\r\n'),
  ),
]

const ATTACHED = [
  Buffer.from(
    String(MAIL[0])
      .replace('alternative; boundary=x', 'mixed; boundary=y')
      .replace('\r\n\r\n', '\r\n\r\n--y\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n'),
  ),
  Buffer.from(
    '\r\n--y\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="Prices.pdf"\r\n' +
      'Content-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--y--\r\n',
  ),
]

const WITH_IMAGE = [
  Buffer.from(
    String(MAIL[0])
      .replace('alternative; boundary=x', 'related; boundary=y')
      .replace('\r\n\r\n', '\r\n\r\n--y\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n'),
  ),
  Buffer.from(
    '\r\n--y\r\nContent-Type: image/png\r\nContent-Disposition: inline; filename="logo.png"\r\n' +
      'Content-ID: <logo@shop>\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--y--\r\n',
  ),
]

it.each([
  [
    'postmark',
    { Name: 'logo.png', Content: 'JVBERg==', ContentType: 'image/png', ContentID: 'cid:logo@shop' },
  ],
  [
    'sendgrid',
    {
      content: 'JVBERg==',
      type: 'image/png',
      filename: 'logo.png',
      disposition: 'inline',
      content_id: 'logo@shop',
    },
  ],
  [
    'mailjet',
    { ContentType: 'image/png', Filename: 'logo.png', Base64Content: 'JVBERg==', ContentID: 'logo@shop' },
  ],
  ['sparkpost', { name: 'logo@shop', type: 'image/png', data: 'JVBERg==' }],
] as const)('%s: an image of the HTML has its Content-ID', async (esp, image) => {
  const { service, transport } = await start(esp)
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, WITH_IMAGE)).toMatchObject({ kind: 'sent' })
  const field = {
    mailjet: 'InlinedAttachments',
    sparkpost: 'inline_images',
    postmark: 'Attachments',
    sendgrid: 'attachments',
  }[esp]
  expect(service.lastBody).toContain(`"${field}":${JSON.stringify([image])}`)
})

describe.each(apiEsps)('%s', esp => {
  it('sends our message: text, unsubscribe header, reference, no ESP tracking', async () => {
    const { service, transport } = await start(esp)
    expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({ kind: 'sent' })
    expect(service.taken).toEqual([
      {
        to: 'ann@gmx.test',
        subject: 'Grüße',
        text: expect.stringContaining('Schön'),
        unsubscribe: '<https://t.sender.test/u/abc>, <mailto:u-abc@sender.test>',
        reference: 'b-abcdefgh',
        isTracked: false,
        attached: [],
      },
    ])
  })

  it('sends attachments', async () => {
    const { service, transport } = await start(esp)
    expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, ATTACHED)).toMatchObject({ kind: 'sent' })
    const type = esp === 'brevo' ? '' : 'application/pdf'
    expect(service.taken).toMatchObject([{ subject: 'Grüße', attached: [`Prices.pdf (${type}): JVBERg==`] }])
  })

  it('distinguishes a rejected recipient or message from a rejected login', async () => {
    const { transport } = await start(esp)
    const outcome = await transport.send({ from: FROM, to: 'nobody@gmx.test' }, MAIL)
    // Amazon does not distinguish the two.
    const reason = esp === 'ses' ? { class: 'content', hard: false } : { class: 'bad-mailbox', hard: true }
    expect(outcome).toMatchObject({ kind: 'rejected', reply: reason })
    const wrong = await start(esp, { secret: 'wrong' })
    expect(await wrong.transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({
      kind: 'returned',
      text: expect.stringMatching(/^40[13]/),
    })
    expect(wrong.service.taken).toEqual([])
  })

  it('sends to an address outside ASCII in a call of its own, which may be rejected', async () => {
    const { service, transport } = await start(esp)
    const [ann, jörg, bob] = await Promise.all(
      ['ann@gmx.test', 'jörg@gmx.test', 'bob@gmx.test'].map(to => transport.send({ from: FROM, to }, MAIL)),
    )
    expect([ann?.kind, jörg?.kind, bob?.kind]).toEqual(['sent', 'sent', 'sent'])
    // The others share one call if the ESP accepts several.
    expect(service.calls).toBe(esp === 'postmark' || esp === 'mailjet' ? 2 : 3)
    service.instead = () => ({ status: 400, body: { message: 'Invalid recipient' } })
    const refused = await transport.send({ from: FROM, to: 'jörg@gmx.test' }, MAIL)
    expect(refused).toMatchObject({ kind: 'rejected' })
  })

  it('reports unknown if the request was sent without a response, and returns the message if it was not sent', async () => {
    const { service, transport } = await start(esp)
    service.instead = () => null
    expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({ kind: 'unknown' })
    const gone = await start(esp, { baseUrl: 'http://127.0.0.1:1' })
    expect(await gone.transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({
      kind: 'returned',
    })
  })

  it('makes no calls during a Retry-After, and continues afterwards', async () => {
    let time = Date.now()
    const { service, transport } = await start(esp, {}, () => time)
    const send = () => transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)
    for (const [status, calls] of [
      [429, 1],
      [403, 3],
      [503, 5],
    ] as const) {
      service.instead = () => ({ status, headers: { 'retry-after': '30' }, body: {} })
      expect(await send()).toMatchObject({ kind: 'returned', retryAfter: 30 })
      service.instead = null
      time += 10_000
      expect(await send()).toMatchObject({ kind: 'returned', retryAfter: 20 })
      expect(service.calls).toBe(calls)
      time += 20_001
      expect(await send()).toMatchObject({ kind: 'sent' })
    }
  })

  it('retries what the ESP could not accept, and ignores unreadable responses', async () => {
    const { service, transport } = await start(esp)
    const send = () => transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)
    const kinds = []
    for (const status of [503, 500, 502, 204]) {
      service.instead = () => ({ status })
      kinds.push((await send()).kind)
    }
    expect(kinds).toEqual(['deferred', 'deferred', 'unknown', 'unknown'])
  })
})

it.each([
  ['postmark', 500],
  ['mailjet', 50],
] as const)('%s accepts up to %i messages per call, each with its own outcome', async (esp, most) => {
  const { service, transport } = await start(esp)
  const to = (index: number) => (index === 7 ? 'nobody@gmx.test' : `p${index}@gmx.test`)
  const outcomes = await Promise.all(
    Array.from({ length: most + 1 }, (_, index) => transport.send({ from: FROM, to: to(index) }, MAIL)),
  )
  expect(service.calls).toBe(2)
  expect(outcomes.filter(({ kind }) => kind === 'sent')).toHaveLength(most)
  expect(outcomes[7]).toMatchObject({ kind: 'rejected', reply: { hard: true } })
  expect(service.taken).toHaveLength(most)
})

it.each([
  ['postmark', [{ ErrorCode: 0, Message: 'OK' }, null]],
  ['postmark', [{ ErrorCode: 0, Message: 'OK' }]],
  ['postmark', [{ ErrorCode: 0 }, { ErrorCode: 0 }, { ErrorCode: 0 }]],
  ['postmark', [{ ErrorCode: null }, {}]],
  ['mailjet', { Messages: [{ Status: 'success' }] }],
  ['mailjet', { Messages: [{ Status: 'queued' }, null] }],
] as const)('%s: %j leaves two messages unknown', async (esp, body) => {
  const { service, transport } = await start(esp)
  service.instead = () => ({ status: 200, body })
  const outcomes = await Promise.all(
    ['a@gmx.test', 'b@gmx.test'].map(to => transport.send({ from: FROM, to }, MAIL)),
  )
  // A response that matches its message counts; if the counts differ, none does.
  const isFirstKnown = esp === 'postmark' && body.length === 2 && body[0].ErrorCode === 0
  expect(outcomes.map(({ kind }) => kind)).toEqual([isFirstKnown ? 'sent' : 'unknown', 'unknown'])
})

describe.each(apiEsps)('%s', esp => {
  it('rejects no recipients for a wrong base URL', async () => {
    const { service, transport } = await start(esp)
    for (const status of [301, 307, 404, 405, 407, 408, 410]) {
      service.instead = () => ({ status, headers: { location: 'https://elsewhere.test/' } })
      const outcome = await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)
      expect({ status, kind: outcome.kind }).toEqual({ status, kind: 'returned' })
    }
  })

  it('survives a key that is invalid in a header', async () => {
    const { transport } = await start(esp, { secret: 'key…', username: 'user…' })
    expect(['returned', 'unknown']).toContain(
      (await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).kind,
    )
  })
})

it('identifies a message to Brevo by a UUID, the same for a resend', async () => {
  const { service, transport } = await start('brevo')
  const test = Buffer.from(MAIL[0]?.toString().replace('<abc@', '<another@') ?? '')
  for (const [to, mail] of [
    ['ann@gmx.test', MAIL],
    ['ann@gmx.test', MAIL],
    ['ben@gmx.test', MAIL],
    ['ann@gmx.test', [test]],
  ] as const)
    await transport.send({ from: FROM, to }, mail)
  const [first, again, toAnother, ofAnother] = service.keys
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(again).toBe(first)
  expect(new Set([first, toAnother, ofAnother]).size).toBe(3)
  // A message that Brevo accepted without our receiving the response is not rejected the second time.
  service.instead = () => ({ status: 400, body: { code: 'duplicate_parameter', message: 'idempotencyKey' } })
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({ kind: 'sent' })
})

it('does not call private addresses unless allowed', async () => {
  const { service, transport } = await start('brevo', {}, undefined, false)
  const outcome = await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)
  expect(outcome).toMatchObject({ kind: 'returned', text: expect.stringContaining('not a public address') })
  expect(service.calls).toBe(0)
  const named = await start(
    'brevo',
    { baseUrl: service.url.replace('127.0.0.1', 'localhost') },
    undefined,
    false,
  )
  expect(await named.transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({
    kind: 'returned',
  })
  expect(service.calls).toBe(0)
})

const ALL_HEADERS = [
  Buffer.from(
    MAIL[0]
      ?.toString()
      .replace(
        'MIME-Version',
        [
          'List-Id: <news.sender.test>',
          'X-Mailer: Shop 1.0',
          'User-Agent: Shop 1.0',
          'Feedback-ID: 1:2:3:shop',
          'X-Feedback-Id: 1',
          'X-CSA-Complaints: csa@eco.de',
          'X-SG-EID: 1',
          'Received: from a by b',
          'CFBL-Address: fbl@sender.test',
          'MIME-Version',
        ].join('\r\n'),
      ) ?? '',
  ),
]

it.each(apiEsps)('%s accepts a message with all our header fields', async esp => {
  const { service, transport } = await start(esp)
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, ALL_HEADERS)).toMatchObject({
    kind: 'sent',
  })
  expect(service.taken).toHaveLength(1)
})

it('Postmark: a batch over 50 MB, or rejected as too large, is split', async () => {
  const { service, transport } = await start('postmark')
  const large = [Buffer.from(MAIL[0]?.toString().replace('Sch=C3=B6n', 'x'.repeat(8_500_000)) ?? '')]
  const send = (mail: Buffer[], count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        transport.send({ from: FROM, to: `p${index}@gmx.test` }, mail),
      ),
    )
  expect(await send(large, 6)).toMatchObject(Array.from({ length: 6 }, () => ({ kind: 'sent' })))
  expect(service.calls).toBe(2)
  service.instead = () => {
    service.instead = null
    return { status: 413 }
  }
  expect((await send(MAIL, 4)).map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent', 'sent'])
  expect(service.calls).toBe(5)
  service.instead = () => ({ status: 413 })
  // Nothing left to split: the message itself is too large.
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({
    kind: 'rejected',
    reply: { class: 'content', hard: false },
  })
})

it.each([
  [300, "Invalid 'To' address: 'ann@'.", { kind: 'rejected', reply: { class: 'bad-mailbox', hard: true } }],
  [
    300,
    "Invalid 'From' address: 'news@'.",
    { kind: 'rejected', reply: { hard: false }, isSenderFault: true },
  ],
  [
    300,
    'Provide either email TextBody or HtmlBody or both.',
    { kind: 'rejected', reply: { hard: false }, isSenderFault: true },
  ],
  [300, "Invalid 'Reply-To' address.", { kind: 'rejected', reply: { hard: false }, isSenderFault: true }],
  [
    300,
    'Zero recipients specified in Tokyo',
    { kind: 'rejected', reply: { hard: false }, isSenderFault: true },
  ],
  [0, 'Message accepted, but delivery may be delayed.', { kind: 'sent' }],
  [900, 'Message accepted, but delivery may be delayed.', { kind: 'sent' }],
])('Postmark: code %i, "%s"', async (ErrorCode, Message, outcome) => {
  const { service, transport } = await start('postmark')
  service.instead = () => ({ status: 200, body: [{ ErrorCode, Message }] })
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject(outcome)
})

it('SparkPost: braces arrive unchanged, and a recipient it rejects is rejected', async () => {
  const { service, transport } = await start('sparkpost')
  const text = 'Use {{ code }} or {{{raw}}} and {%'
  const mail = [Buffer.from(MAIL[0]?.toString().replace('Sch=C3=B6n', text) ?? '')]
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, mail)).toMatchObject({ kind: 'sent' })
  expect(service.taken[0]?.text.trim()).toBe(text)
  expect(await transport.send({ from: FROM, to: 'rejected@gmx.test' }, mail)).toMatchObject({
    kind: 'rejected',
    reply: { class: 'policy', hard: false },
  })
})

it('Mailgun: a response without an id is not an acceptance', async () => {
  const { service, transport } = await start('mailgun')
  service.instead = () => ({ status: 200, body: { message: 'Mailgun Magnificent API' } })
  expect(await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)).toMatchObject({ kind: 'unknown' })
})

it.each([
  ['emma-events', 'emma-events'],
  [null, undefined],
])('SES: the configuration set %s is sent with each message', async (configurationSet, sent) => {
  const { service, transport } = await start('ses', { configurationSet })
  await transport.send({ from: FROM, to: 'ann@gmx.test' }, MAIL)
  expect(service.bodies.at(-1)?.ConfigurationSetName).toBe(sent)
})

async function start(esp: ApiEsp, more: Partial<ApiLogin> = {}, now?: () => number, allowPrivate = true) {
  const service = await startTestService(esp)
  const login: ApiLogin = {
    via: esp,
    id: 1,
    username: TEST_USER,
    secret: TEST_SECRET,
    region: esp === 'ses' ? 'eu-central-1' : null,
    domain: 'mg.sender.test',
    stream: null,
    configurationSet: null,
    baseUrl: service.url,
    ...more,
  }
  const transport = createEspTransport(login, { connections: 2, allowPrivate, now })
  onTestFinished(() => transport.close())
  return { service, transport }
}
