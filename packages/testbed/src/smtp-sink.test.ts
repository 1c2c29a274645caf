import { once } from 'node:events'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { openMailboxes } from './mailboxes.ts'
import { deliver, rawSmtp, TEST_MESSAGE, testTestbed } from './test/servers.ts'
import { trySmuggling } from './test/smuggling.ts'

const QUIET = { reactions: { enabled: false } } as const

function read(folder: string) {
  const mailboxes = openMailboxes(folder)
  return {
    mailboxes,
    log: () => [...mailboxes.readLog()].map(({ recipient, outcome, code }) => ({ recipient, outcome, code })),
    subjects: () => mailboxes.listMessages().rows.map(({ subject }) => subject),
  }
}

const to = (name: string) => `MAIL FROM:<a@b.test>\r\nRCPT TO:<${name}@gmail.test>\r\nDATA\r\n`

describe('startSmtpSink', () => {
  it('accepts mail for its own domains only', async () => {
    const testbed = await testTestbed(QUIET)
    expect(await deliver(testbed, 'ok-1@gmail.test')).toMatch(/^250 2\.0\.0 OK/)
    expect(await deliver(testbed, 'ok-1@example.com')).toMatch(/^550 5\.7\.1 Relaying denied/)
    expect(await deliver(testbed, 'postmaster')).toMatch(/^550 5\.7\.1/)
    const { log, mailboxes } = read(testbed.folder)
    expect(log()).toEqual([
      { recipient: 'ok-1@gmail.test', outcome: 'accepted', code: 250 },
      { recipient: 'ok-1@example.com', outcome: 'refused', code: 550 },
      { recipient: 'postmaster', outcome: 'refused', code: 550 },
    ])
    const message = await mailboxes.getMessage(1)
    expect(message).toMatchObject({
      mailbox: 'ok-1@gmail.test',
      sender: 'b-1@bounce.sender.test',
      subject: 'Schöne Grüße',
      messageId: '<1@sender.test>',
      text: 'Hello\n',
      html: null,
      source: `${TEST_MESSAGE}\r\n`,
      size: TEST_MESSAGE.length + 2,
      faults: [],
    })
  })

  it.each([
    ['bounce-1@gmail.test', /^550 5\.1\.1 /],
    ['bounce-1@yahoo.test', /^554 delivery error/],
    ['full-1@gmail.test', /^452 4\.2\.2 /],
    ['full-1@web.test', /^552 /],
    ['reject-1@outlook.test', /^550 5\.7\.1 /],
    ['ok-1@xn--mller-kva.test', /^250 /],
    ['ok-1@müller.test', /^250 /],
    ['slow-1@tonline.test', /^250 /],
  ])('answers %s with %s', async (address, reply) => {
    const testbed = await testTestbed(QUIET)
    expect(await deliver(testbed, address)).toMatch(reply)
    const kept = reply.source.includes('250')
    expect(read(testbed.folder).subjects()).toHaveLength(kept ? 1 : 0)
  })

  it.each(['grey-1@gmx.test', 'busy-1@yahoo.test'])(
    'defers %s until the sender has waited',
    async address => {
      let now = 1_000_000
      const testbed = await testTestbed({ ...QUIET, retryAfter: 60, now: () => now })
      expect(await deliver(testbed, address)).toMatch(/^4\d\d /)
      now += 30_000
      expect(await deliver(testbed, address)).toMatch(/^4\d\d /)
      expect(await deliver(testbed, address, TEST_MESSAGE, 'other@sender.test')).toMatch(/^4\d\d /)
      now += 31_000
      expect(await deliver(testbed, address)).toMatch(/^250 /)
      expect(
        read(testbed.folder)
          .log()
          .map(({ outcome }) => outcome),
      ).toEqual(['deferred', 'deferred', 'deferred', 'accepted'])
    },
  )

  it("applies the provider's rate limit", async () => {
    const { PROVIDER_PROFILES } = await import('./provider-profiles.ts')
    const profiles = PROVIDER_PROFILES.map(profile => ({ ...profile, perMinute: 60 }))
    const testbed = await testTestbed({ ...QUIET, profiles, now: () => 1_000_000 })
    expect(await deliver(testbed, 'ok-1@gmail.test')).toMatch(/^250 /)
    expect(await deliver(testbed, 'ok-2@gmail.test')).toMatch(/^451 /)
    expect(await deliver(testbed, 'ok-3@gmx.test')).toMatch(/^250 /)
  })

  it('drops the connection after storing the message, or during DATA', async () => {
    const testbed = await testTestbed(QUIET)
    expect(await deliver(testbed, 'drop-1@gmail.test')).toBe('closed')
    expect(await deliver(testbed, 'cut-1@gmail.test')).toBe('closed')
    const { log, mailboxes } = read(testbed.folder)
    expect(log()).toEqual([
      { recipient: 'drop-1@gmail.test', outcome: 'unanswered', code: 0 },
      { recipient: 'cut-1@gmail.test', outcome: 'broken', code: 0 },
    ])
    expect(mailboxes.listMailboxes().rows.map(({ address }) => address)).toEqual(['drop-1@gmail.test'])
  })

  it('logs a sender that disconnects, and stores nothing of its message', async () => {
    const testbed = await testTestbed(QUIET)
    const client = await rawSmtp(testbed.smtpPort)
    await client.say('MAIL FROM:<a@b.test>\r\nRCPT TO:<ok-1@gmail.test>\r\nDATA\r\n', 3)
    client.socket.write('Subject: half\r\n\r\nhal')
    client.socket.destroySoon()
    const { log, subjects } = read(testbed.folder)
    await expect.poll(log).toEqual([{ recipient: 'ok-1@gmail.test', outcome: 'broken', code: 0 }])
    expect(subjects()).toEqual([])
  })

  it('handles a pipelining client message by message', async () => {
    const testbed = await testTestbed(QUIET)
    const client = await rawSmtp(testbed.smtpPort)
    await client.say(to('ok-1'), 3)
    const next = await client.say(`Subject: one\r\n\r\n..dot\r\n.\r\n${to('ok-2')}`, 4)
    expect(next.map(reply => reply.slice(0, 3))).toEqual(['250', '250', '250', '354'])
    const [last] = await client.say('Subject: two\r\n\r\nx\r\n.\r\n')
    expect(last).toMatch(/^250 /)
    const { mailboxes } = read(testbed.folder)
    expect((await mailboxes.getMessage(1))?.source).toBe('Subject: one\r\n\r\n.dot\r\n')
    expect((await mailboxes.getMessage(2))?.subject).toBe('two')
  })

  it('stores one message for several mailboxes, and rejects unknown ones among them', async () => {
    const testbed = await testTestbed(QUIET)
    const client = await rawSmtp(testbed.smtpPort)
    const replies = await client.say(
      'MAIL FROM:<a@b.test>\r\nRCPT TO:<ok-1@gmail.test>\r\nRCPT TO:<bounce-2@gmail.test>\r\nRCPT TO:<ok-3@gmx.test>\r\nDATA\r\n',
      5,
    )
    expect(replies.map(reply => reply.slice(0, 3))).toEqual(['250', '250', '550', '250', '354'])
    await client.say('Subject: both\r\n\r\nx\r\n.\r\n')
    const { mailboxes } = read(testbed.folder)
    expect(
      mailboxes.listMailboxes({ search: 'GM' }).rows.map(({ address, messages }) => [address, messages]),
    ).toEqual([
      ['ok-3@gmx.test', 1],
      ['ok-1@gmail.test', 1],
    ])
  })

  it('works with nodemailer and STARTTLS', async () => {
    const testbed = await testTestbed(QUIET)
    const transport = createTransport({
      host: '127.0.0.1',
      port: testbed.smtpPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    })
    const sent = await transport.sendMail({
      from: 'Shop <news@sender.test>',
      to: ['ok-1@gmail.test', 'ok-ü@müller.test'],
      subject: 'Über uns',
      html: '<p>Hallo</p>',
      text: 'Hallo',
    })
    transport.close()
    expect(sent.accepted).toHaveLength(2)
    const { mailboxes } = read(testbed.folder)
    const message = await mailboxes.getMessage(2)
    expect(message).toMatchObject({
      mailbox: 'ok-ü@xn--mller-kva.test',
      subject: 'Über uns',
      html: expect.stringContaining('<p>Hallo</p>'),
      text: expect.stringContaining('Hallo'),
    })
    expect(message?.headers.map(({ name }) => name)).toContain('MIME-Version')
  })
})

describe('malicious senders', () => {
  it('rejects a message declared as too large', async () => {
    const testbed = await testTestbed({ ...QUIET, maxMessageBytes: 10_000 })
    const client = await rawSmtp(testbed.smtpPort)
    expect(await client.say('MAIL FROM:<a@b.test> SIZE=104857600\r\n')).toEqual([
      expect.stringMatching(/^552 /),
    ])
  })

  it('rejects a message that turns out too large, and continues', async () => {
    const testbed = await testTestbed({ ...QUIET, maxMessageBytes: 100_000 })
    const client = await rawSmtp(testbed.smtpPort)
    await client.say('MAIL FROM:<a@b.test>\r\nRCPT TO:<ok-1@gmail.test>\r\nDATA\r\n', 3)
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    for (let sent = 0; sent < 100; sent++) {
      if (!client.socket.write(megabyte)) await once(client.socket, 'drain')
    }
    expect(await client.say('\r\n.\r\n')).toEqual([expect.stringMatching(/^552 /)])
    expect(read(testbed.folder).log()).toEqual([
      { recipient: 'ok-1@gmail.test', outcome: 'refused', code: 552 },
    ])
    expect(await client.say('NOOP\r\n')).toEqual([expect.stringMatching(/^250 /)])
  })

  it('disconnects after an endless command', async () => {
    const testbed = await testTestbed(QUIET)
    const client = await rawSmtp(testbed.smtpPort)
    expect(await client.say(`MAIL FROM:<${'a'.repeat(100_000)}`)).toEqual([expect.stringMatching(/^421 /)])
    expect(await deliver(testbed, 'ok-1@gmail.test')).toMatch(/^250 /)
  })

  it('stores invalid messages unchanged, and reports their faults', async () => {
    const testbed = await testTestbed(QUIET)
    const odd = Buffer.from(
      `Subject: odd\0\r\nX: ${'y'.repeat(5000)}\r\n\r\nbare\nbare\rnul\0 \xff\xfe`,
      'latin1',
    )
    expect(await deliver(testbed, 'ok-1@gmail.test', odd)).toMatch(/^250 /)
    const { mailboxes } = read(testbed.folder)
    expect(mailboxes.getSource(1)).toEqual(Buffer.concat([odd, Buffer.from('\r\n')]))
    expect((await mailboxes.getMessage(1))?.faults).toHaveLength(4)
  })

  it('does not accept a second message by other line ends (SMTP smuggling), however TCP splits them', {
    timeout: 60_000,
  }, async () => {
    const testbed = await testTestbed(QUIET)
    const client = await rawSmtp(testbed.smtpPort)
    const { sent, ...result } = await trySmuggling(client, 'ok-1@gmail.test', 'ok-2@gmail.test')
    expect(result).toEqual({ accepted: sent, unasked: [] })
    const { mailboxes } = read(testbed.folder)
    const { total, rows } = mailboxes.listMessages()
    expect(total).toBe(sent)
    expect(new Set(rows.map(({ subject, mailbox }) => `${subject} ${mailbox}`))).toEqual(
      new Set(['first ok-1@gmail.test']),
    )
  })

  it('survives data that is not SMTP', async () => {
    const testbed = await testTestbed(QUIET)
    for (const rubbish of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\x00\x01\0\r\n', '\r\n'.repeat(50)]) {
      const client = await rawSmtp(testbed.smtpPort)
      await client.say(rubbish)
      client.socket.destroy()
    }
    expect(await deliver(testbed, 'ok-1@gmail.test')).toMatch(/^250 /)
  })
})
