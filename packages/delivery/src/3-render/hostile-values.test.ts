import { ContentError } from '@emma/mail/template/template-error.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { findMailFaults } from '@emma/mail/test/strict-mail.ts'
import { authenticateMail } from '@emma/testbed/authenticate-mail.ts'
import * as fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { renderTest, resolveTest, TEST_DOMAIN, testSnapshot } from '../test/sample-mail.ts'

/** No merge value can change the header, the recipient or the parts of a message. */

const sharp = fc.constantFrom(
  '\r\nBcc: victim@example.org\r\n',
  '\nSubject: Won\n\n<b>body</b>',
  '\r',
  '\n.\n',
  '\r\n.\r\nMAIL FROM:<x@example.org>\r\n',
  '\r\n--=_0\r\nContent-Type: text/html\r\n\r\n',
  '=?UTF-8?Q?=0D=0ABcc:_x@example.org?=',
  '\0',
  '\u0085\u2028\u2029\v\f',
  '\ud800',
  '\u202e',
  '"',
  '\\',
  '<',
  '>',
  ',',
  ';',
  ':',
  '(',
  ')',
  '@',
  '%',
  '=',
  '.',
  ' ',
  '\t',
  '</title><script>alert(1)</script>',
  '{{ member.email }}',
  '{% raw %}',
  '{{ link.unsubscribe }}',
  'ü',
  '😀',
  'שלום',
  'x'.repeat(1200),
)
const hostile = fc
  .array(fc.oneof(sharp, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 8 })
  .map(parts => parts.join(''))

const COLUMNS = ['member_id', 'email', 'firstname', 'lastname', 'city']
const FIELDS =
  '{{ member.firstname }} {{ member.lastname }} {{ member.city }} {{ member.email }} {{ campaign.name }}'
const MESSAGE = {
  subject: `${FIELDS} {{ client.name }}`,
  preheader: FIELDS,
  html: `<html><head><title>${FIELDS}</title></head><body><p title="{{ member.city }}">${FIELDS} {{ client.imprint }}</p><a href="https://shop.example/?c={{ member.city }}">x</a></body></html>`,
  text: `${FIELDS}\n{{ client.imprint }}\nhttps://shop.example/?c={{ member.city }}\n`,
}

/** Everything that no value may change. */
async function shapeOf(raw: Buffer) {
  const { headers, html = '', to, cc, bcc, attachments } = await PostalMime.parse(raw)
  return {
    names: headers.map(({ key }) => key),
    parts: partsOf(raw),
    tags: html.split('<').length,
    recipients: [to, cc, bcc],
    attachments: attachments.length,
  }
}

/** Content types of the parts, found by the boundary alone. */
function partsOf(raw: Buffer): (string | undefined)[] {
  const text = raw.toString('latin1')
  const [, boundary = ''] = /^Content-Type: multipart\/alternative; boundary="([^"]+)"\r\n/m.exec(text) ?? []
  return text.split(`--${boundary}`).map(part => /^\r\nContent-Type: ([^;]*);/.exec(part)?.[1])
}

const plain = await shapeOf(
  (
    await renderTest(
      testSnapshot({ message: MESSAGE, columns: COLUMNS }),
      { firstname: 'Ann' },
      'ann@example.net',
    )
  ).raw,
)

test('recipient values change neither header nor recipients nor parts', async () => {
  const member = fc.record({ firstname: hostile, lastname: hostile, city: hostile, email: hostile })
  await fc.assert(
    fc.asyncProperty(member, async values => {
      const snapshot = testSnapshot({ message: MESSAGE, columns: COLUMNS })
      const { raw } = await renderTest(snapshot, values, 'ann@example.net')
      expect(findMailFaults(raw)).toEqual([])
      expect(await shapeOf(raw)).toEqual(plain)
    }),
    { numRuns: 150 },
  )
}, 60_000)

test('client and campaign values do not either, or are rejected', async () => {
  const tenant = fc.record({
    client: hostile,
    imprint: hostile,
    campaign: hostile,
    sender: hostile,
    mailclass: hostile,
    listId: hostile,
  })
  let written = 0
  await fc.assert(
    fc.asyncProperty(tenant, async values => {
      const snapshot = testSnapshot({
        message: MESSAGE,
        columns: COLUMNS,
        client: { name: values.client, imprint: values.imprint },
        campaign: { name: values.campaign },
        mailclass: { name: values.mailclass, listId: values.listId },
        sender: { name: values.sender },
      })
      const mail = await renderTest(snapshot, { firstname: 'Ann' }, 'ann@example.net').catch(refusal)
      if (mail === null) return
      written++
      expect(findMailFaults(mail.raw)).toEqual([])
      expect(await shapeOf(mail.raw)).toEqual(plain)
      expect((await PostalMime.parse(mail.raw)).from?.address).toBe(`news@${TEST_DOMAIN}`)
    }),
    { numRuns: 150 },
  )
  expect(written).toBeGreaterThan(20)
}, 60_000)

test('any content results in a valid, signed message, or is rejected', async () => {
  const content = fc.record({ subject: hostile, preheader: hostile, html: hostile, text: hostile })
  let written = 0
  await fc.assert(
    fc.asyncProperty(content, async ({ html, ...rest }) => {
      const message = {
        ...rest,
        html: `<html><body><p>Hello ${html}</p><img src="https://shop.example/a.png"></body></html>`,
      }
      const mail = await renderTest(testSnapshot({ message }), { firstname: 'Ann' }, 'ann@example.net').catch(
        refusal,
      )
      if (mail === null) return
      written++
      expect(findMailFaults(mail.raw)).toEqual([])
      const { names, recipients, parts } = await shapeOf(mail.raw)
      expect({ names, recipients, parts }).toEqual({
        names: plain.names,
        recipients: plain.recipients,
        parts: plain.parts,
      })
      const arrival = {
        sender: mail.envelope.from,
        ip: '127.0.0.1',
        helo: 'engine.test',
        host: 'mx.example.net',
      }
      const { dkim } = await authenticateMail(mail.raw, arrival, resolveTest)
      expect(dkim.map(({ result }) => result)).toEqual(['pass', 'pass'])
    }),
    { numRuns: 100 },
  )
  expect(written).toBeGreaterThan(20)
}, 60_000)

test('any address is the only recipient, or is rejected', async () => {
  const address = fc.oneof(
    hostile,
    hostile.map(text => `${text}@example.net`),
    hostile.map(text => `ann@${text}.example.net`),
  )
  const snapshot = testSnapshot({ message: MESSAGE, columns: COLUMNS })
  await fc.assert(
    fc.asyncProperty(address, async email => {
      const mail = await renderTest(snapshot, { firstname: 'Ann' }, email).catch(refusal)
      if (mail === null) return
      expect(findMailFaults(mail.raw, { utf8: mail.envelope.smtpUtf8 ?? false })).toEqual([])
      const { to = [], cc, bcc } = await PostalMime.parse(mail.raw)
      expect(to).toHaveLength(1)
      expect([cc, bcc]).toEqual([undefined, undefined])
    }),
    { numRuns: 150, examples: [['ann@example.net']] },
  )
}, 60_000)

function refusal(error: unknown): null {
  if (error instanceof HeaderError || error instanceof ContentError) return null
  throw error
}
