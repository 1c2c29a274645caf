import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { openMailboxes } from './mailboxes.ts'
import { deliver, testInbound, testTestbed, testTracking } from './test/servers.ts'

function mailWith(origin: string, fields: string[] = []): string {
  return [
    'From: Shop <news@sender.test>',
    'Subject: Sale',
    'Message-ID: <77@sender.test>',
    ...fields,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `<a href=3D"${origin}/t/c/token/0">one</a><a href=3D"${origin}/t/c/token/1?a=3D1&amp;b=3D2">two</a>`,
    `<a href=3D"${origin}/t/c/token/2">three</a><a href=3D"${origin}/u/token">unsubscribe</a>`,
    '<a href=3D"https://outside.example/x">out</a><img src=3D"https://outside.example/logo.png">',
    `<img src=3D"${origin}/t/o/token.gif" width=3D1>`,
  ].join('\r\n')
}

const ONE_CLICK = (origin: string) => [
  `List-Unsubscribe: <${origin}/u/token>, <mailto:u-1@bounce.sender.test?subject=token>`,
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
]

function events(folder: string) {
  return [...openMailboxes(folder).readEvents()].map(({ kind, target, status }) => ({ kind, target, status }))
}

describe('visits', () => {
  it.each([
    ['open-1@gmail.test', 'GoogleImageProxy', '66.249.'],
    ['open-1@yahoo.test', 'YahooMailProxy', '87.248.'],
    ['open-1@icloud.test', 'iPhone', '203.0.113.'],
  ])('opens for %s as %s', async (address, agent, network) => {
    const tracking = await testTracking()
    const testbed = await testTestbed()
    await deliver(testbed, address, mailWith(tracking.origin))
    await testbed.idle()
    expect(tracking.requests).toHaveLength(1)
    const [request] = tracking.requests
    expect(request).toMatchObject({ method: 'GET', url: '/t/o/token.gif' })
    expect(request?.headers['user-agent']).toContain(agent)
    expect(request?.headers['x-forwarded-for']).toMatch(new RegExp(`^${RegExp.escape(network)}`))
    expect(events(testbed.folder)).toEqual([
      { kind: 'open', target: `${tracking.origin}/t/o/token.gif`, status: 200 },
    ])
  })

  it('loads the images of every message at once with Apple MPP', async () => {
    const tracking = await testTracking()
    const testbed = await testTestbed({ seed: 'mpp', verifySample: { perSecond: 0, fraction: 0 } })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        deliver(testbed, `m${index}@icloud.test`, mailWith(tracking.origin)),
      ),
    )
    await testbed.idle()
    const kept = openMailboxes(testbed.folder)
      .listMessages()
      .rows.filter(({ folder }) => folder !== 'spam')
    const bare = tracking.requests.filter(({ headers }) => headers['user-agent'] === 'Mozilla/5.0')
    expect(kept.length).toBeGreaterThan(10)
    expect(bare).toHaveLength(kept.length)
    expect(bare.every(({ headers }) => String(headers['x-forwarded-for']).startsWith('17.'))).toBe(true)
  })

  it('clicks one link with a browser, but not the unsubscribe link', async () => {
    const tracking = await testTracking()
    const testbed = await testTestbed()
    await deliver(testbed, 'click-1@gmx.test', mailWith(tracking.origin))
    await testbed.idle()
    const clicks = tracking.requests.filter(({ url }) => url.startsWith('/t/c/'))
    expect(clicks).toHaveLength(1)
    expect(clicks[0]?.headers['user-agent']).toMatch(/^Mozilla\/5\.0 \(/)
    const statuses = Object.fromEntries(events(testbed.folder).map(({ kind, status }) => [kind, status]))
    expect(statuses).toEqual({ open: 200, click: 302 })
  })

  it('follows all links on arrival as a scanner, without posting', async () => {
    const tracking = await testTracking()
    const testbed = await testTestbed()
    await deliver(testbed, 'scan-1@example-shop.test', mailWith(tracking.origin, ONE_CLICK(tracking.origin)))
    await testbed.idle()
    expect(tracking.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /t/c/token/0',
      'GET /t/c/token/1?a=1&b=2',
      'GET /t/c/token/2',
      'GET /u/token',
    ])
  })

  it("visits the tracking host's origin, and nothing outside", async () => {
    const tracking = await testTracking()
    const testbed = await testTestbed({
      resolveOrigin: url => (url.hostname === 'track.sender.test' ? tracking.origin : null),
    })
    await deliver(testbed, 'open-1@gmx.test', mailWith('https://track.sender.test'))
    await testbed.idle()
    expect(tracking.requests.map(({ url, headers }) => [url, headers.host])).toEqual([
      ['/t/o/token.gif', 'track.sender.test'],
    ])
    await deliver(testbed, 'open-2@gmx.test', mailWith(tracking.origin))
    await testbed.idle()
    expect(tracking.requests).toHaveLength(1)
  })

  it('does nothing for quiet addresses, spam, or when disabled', async () => {
    const tracking = await testTracking()
    const testbed = await testTestbed()
    for (const name of ['quiet-1', 'ok-1', 'spam-1']) {
      await deliver(testbed, `${name}@icloud.test`, mailWith(tracking.origin))
    }
    await testbed.idle()
    const still = await testTestbed({ reactions: { enabled: false } })
    await deliver(still, 'open-1@gmail.test', mailWith(tracking.origin))
    await still.idle()
    expect(tracking.requests).toEqual([])
    expect(events(testbed.folder)).toEqual([])
    const rows = openMailboxes(testbed.folder).listMessages({ mailbox: 'spam-1@icloud.test' }).rows
    expect(rows.map(({ folder }) => folder)).toEqual(['spam'])
  })

  it('drops what exceeds the queue', async () => {
    const testbed = await testTestbed({ reactions: { delayFactor: 1, maxPending: 4 } })
    for (let index = 0; index < 5; index++) await deliver(testbed, `click-${index}@gmx.test`)
    await deliver(testbed, 'dsn-1@gmx.test')
    expect(testbed.stats()).toMatchObject({ pendingReactions: 3, skippedReactions: 8 })
  })
})

describe('unsubscribing', () => {
  it('posts one-click or sends a message, by reader', async () => {
    const tracking = await testTracking()
    const inbound = await testInbound()
    const testbed = await testTestbed({ inbound })
    const mail = mailWith(tracking.origin, ONE_CLICK(tracking.origin))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => deliver(testbed, `unsub-${index}@gmx.test`, mail)),
    )
    await testbed.idle()
    const posts = tracking.requests.filter(({ method }) => method === 'POST')
    expect(posts.length).toBeGreaterThan(0)
    expect(inbound.mails.length).toBeGreaterThan(0)
    expect(posts.length + inbound.mails.length).toBe(20)
    expect(posts[0]).toMatchObject({
      url: '/u/token',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const sent = await PostalMime.parse(inbound.mails[0]?.raw ?? '')
    expect(inbound.mails[0]?.from).toMatch(/^unsub-\d+@gmx\.test$/)
    expect(sent).toMatchObject({ subject: 'token', to: [{ address: 'u-1@bounce.sender.test' }] })
  })

  it('uses the method that the message offers', async () => {
    const tracking = await testTracking()
    const inbound = await testInbound()
    const testbed = await testTestbed({ inbound })
    const byMail = mailWith(tracking.origin, ['List-Unsubscribe: <mailto:u-1@bounce.sender.test>'])
    const byPost = mailWith(tracking.origin, [
      `List-Unsubscribe: <${tracking.origin}/u/token>`,
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ])
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => [
        deliver(testbed, `unsub-${index}@gmx.test`, byMail),
        deliver(testbed, `unsub-${index}@gmail.test`, byPost),
      ]).flat(),
    )
    await testbed.idle()
    expect(inbound.mails).toHaveLength(10)
    expect(tracking.requests.filter(({ method }) => method === 'POST')).toHaveLength(10)
  })
})

describe('messages of servers', () => {
  it.each(['dsn-1@gmail.test', 'dsn-ü@müller.test'])(
    'reports that %s could not be reached (RFC 3464)',
    async address => {
      const inbound = await testInbound()
      const testbed = await testTestbed({ inbound })
      await deliver(testbed, address)
      await testbed.idle()
      const [report] = inbound.mails
      expect(report).toMatchObject({ from: '', to: 'b-1@bounce.sender.test' })
      const raw = report?.raw ?? Buffer.alloc(0)
      const mail = await PostalMime.parse(raw)
      expect(mail.headers.find(({ key }) => key === 'content-type')?.value).toContain(
        'report-type=delivery-status',
      )
      const status = part(raw, 'message/delivery-status')
      expect(status).toMatch(/^Reporting-MTA: dns; \S+\r\n/)
      expect(status).toMatch(/\r\n\r\nFinal-Recipient: (rfc822|utf-8); dsn-\S+@\S+\r\n/)
      expect(status).toMatch(/\r\nAction: failed\r\nStatus: 5\.1\.1\r\n/)
      expect(status).toMatch(/\r\nDiagnostic-Code: smtp; 550 5\.1\.1 /)
      expect(status).toMatch(/^[\x20-\x7e\r\n]*$/)
      const original = part(raw, address.includes('gmail') ? 'message/rfc822' : 'text/rfc822-headers')
      expect(original).toContain('Message-ID: <1@sender.test>\r\n')
      expect(events(testbed.folder)).toEqual([{ kind: 'dsn', target: 'b-1@bounce.sender.test', status: 250 }])
    },
  )

  it('sends no report about a message without return path', async () => {
    const inbound = await testInbound()
    const testbed = await testTestbed({ inbound })
    await deliver(testbed, 'dsn-1@gmail.test', undefined, '')
    await testbed.idle()
    expect(inbound.mails).toEqual([])
  })

  it('complains to the address in the message (RFC 5965, 9477), otherwise to fbl@', async () => {
    const inbound = await testInbound()
    const testbed = await testTestbed({ inbound })
    const agreed = await testTestbed({ inbound, complaintAddress: 'abuse@sender.test' })
    const named = mailWith('http://127.0.0.1:9', ['CFBL-Address: fbl-77@feedback.sender.test; report=arf'])
    await deliver(testbed, 'complain-1@gmx.test', named)
    await deliver(testbed, 'complain-1@gmail.test', mailWith('http://127.0.0.1:9'))
    await deliver(agreed, 'complain-1@gmail.test', mailWith('http://127.0.0.1:9'))
    await testbed.idle()
    await agreed.idle()
    expect(inbound.mails.map(mail => mail.to)).toContain('abuse@sender.test')
    const to = (address: string) => inbound.mails.find(mail => mail.to === address)?.raw ?? Buffer.alloc(0)
    const first = to('fbl-77@feedback.sender.test')
    const feedback = part(first, 'message/feedback-report')
    expect(feedback).toMatch(/^Feedback-Type: abuse\r\nUser-Agent: \S+\r\nVersion: 1\r\n/)
    expect(feedback).toContain('Original-Mail-From: <b-1@bounce.sender.test>\r\n')
    expect(feedback).toContain('Original-Rcpt-To: <complain-1@gmx.test>\r\n')
    expect(feedback).toContain('Reported-Domain: sender.test\r\n')
    expect(part(first, 'text/rfc822-headers')).toContain('CFBL-Address: fbl-77@')
    const second = to('fbl@bounce.sender.test')
    expect(part(second, 'message/feedback-report')).not.toContain('complain-1@gmail.test')
    expect(
      (await PostalMime.parse(second)).headers.find(({ key }) => key === 'content-type')?.value,
    ).toContain('report-type=feedback-report')
  })

  it('retries until the inbound server accepts the report, once', async () => {
    const inbound = await testInbound(count => (count < 2 ? { code: 451, text: '4.3.0 not now' } : null))
    const testbed = await testTestbed({ inbound })
    await deliver(testbed, 'dsn-1@gmail.test')
    await testbed.idle()
    expect(inbound.mails).toHaveLength(1)
    expect(events(testbed.folder)).toEqual([{ kind: 'dsn', target: 'b-1@bounce.sender.test', status: 250 }])
  })

  it('records a rejection, and a missing inbound server', async () => {
    const refusing = await testTestbed({
      inbound: await testInbound(() => ({ code: 550, text: '5.1.1 no' })),
    })
    const alone = await testTestbed()
    for (const testbed of [refusing, alone]) {
      await deliver(testbed, 'dsn-1@gmail.test')
      await testbed.idle()
    }
    expect(events(refusing.folder).map(({ status }) => status)).toEqual([550])
    expect(events(alone.folder).map(({ status }) => status)).toEqual([0])
  })

  it('sends pending messages after the next start', async () => {
    const inbound = await testInbound()
    const first = await testTestbed({ inbound, reactions: { delayFactor: 1 } })
    await deliver(first, 'dsn-1@gmail.test')
    await first.stop()
    expect(inbound.mails).toEqual([])
    const later = Date.now() + 3_600_000
    const second = await testTestbed({ inbound, folder: first.folder, now: () => later })
    await second.idle()
    expect(inbound.mails).toHaveLength(1)
  })
})

/** The content of the part with that type. */
function part(raw: Buffer, type: string): string {
  const text = raw.toString('utf8')
  const start = text.indexOf(`\r\nContent-Type: ${type}`)
  if (start < 0) throw new Error(`no part ${type} in\n${text}`)
  const body = text.indexOf('\r\n\r\n', start) + 4
  return text.slice(body, text.indexOf('\r\n--report-', body))
}
