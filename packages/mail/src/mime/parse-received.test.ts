import { expect, it } from 'vitest'
import { parseReceived } from './parse-received.ts'

const own = ['X-EMMA-IPCI: abc', 'From: a@sender.test', 'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=', '']
const body = ['Content-Type: text/html; charset=utf-8', '', '<p>Hello</p>', '']

function parse(...trace: string[]) {
  const lines = [...trace, ...own.slice(0, 3), ...body]
  return parseReceived(Buffer.from(lines.join('\r\n')), 'X-EMMA-IPCI')
}

it('reads what the receiving server noted, and the content', async () => {
  expect(
    await parse(
      'Delivered-To: seed@gmail.test',
      'Received: by 10.2.3.4 with SMTP id x; Fri, 27 Nov 2026 03:00:00 +0000',
      'Received: from mail.sender.test (mail.sender.test. [203.0.113.7])',
      '        by mx.google.test with ESMTPS id y; Fri, 27 Nov 2026 03:00:00 +0000',
      'Authentication-Results: mx.google.test;',
      '       dkim=pass header.i=@sender.test;',
      '       spf=softfail (google.test: domain of x) smtp.mailfrom=b@bounce.sender.test;',
      '       dmarc=pass (p=NONE) header.from=sender.test',
    ),
  ).toEqual({
    subject: 'Grüße',
    html: '<p>Hello</p>\n',
    text: expect.any(String),
    spf: 'softfail',
    dkim: 'pass',
    dmarc: 'pass',
    receivedIp: '203.0.113.7',
  })
})

it('takes results from several fields, and SPF from Received-SPF', async () => {
  expect(
    await parse(
      'Authentication-Results: a.test; dkim = neutral',
      'Authentication-Results: a.test; dmarc=FAIL',
      'Received-SPF: Pass (a.test: ok) client-ip=2001:db8::7; helo=x;',
    ),
  ).toMatchObject({ spf: 'pass', dkim: 'neutral', dmarc: 'fail', receivedIp: '2001:db8::7' })
})

it('takes nothing from what the sender wrote, and nothing from private hops', async () => {
  const lines = [
    'Received: from relay.local (relay [192.168.1.4]) by store.local; Fri, 27 Nov 2026 03:00:00 +0000',
    ...own.slice(0, 1),
    'Authentication-Results: forged.test; spf=pass dkim=pass dmarc=pass',
    'Received: from forged (forged [203.0.113.9]) by x; Fri, 27 Nov 2026 03:00:00 +0000',
    ...body,
  ]
  expect(await parseReceived(Buffer.from(lines.join('\r\n')), 'X-EMMA-IPCI')).toMatchObject({
    spf: null,
    dkim: null,
    dmarc: null,
    receivedIp: null,
  })
})

it('bounds what it searches in a hostile field', async () => {
  const hostile = `Authentication-Results: ${'spf '.repeat(30_000)}\r\nReceived: from ${'[ ('.repeat(30_000)}`
  expect(await parse(hostile)).toMatchObject({ spf: null, receivedIp: null, subject: 'Grüße' })
  await expect(parse(hostile.repeat(2))).rejects.toThrow(/header/i)
})
