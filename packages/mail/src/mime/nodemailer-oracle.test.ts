import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { createTransport } from 'nodemailer'
import PostalMime, { addressParser, decodeWords } from 'postal-mime'
import { expect, test } from 'vitest'
import type { MergeData } from '../segments.ts'
import { buildMail, mailBytes } from './build-mail.ts'
import { compileMime } from './compile-mime.ts'
import { findMailFaults, readFields } from '../test/strict-mail.ts'

/** The same input, built by EMMA and by nodemailer, must parse to the same message. */
interface Input {
  subject: string
  fromName: string
  replyName: string
  toName: string
  listName: string
  note: string
  html: string | null
  text: string
  date: Date
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 100 }),
  fc.constantFrom(
    'Grüße aus Köln',
    'Rabatt 50 % – nur heute!',
    '¡Hola, señor Muñoz!',
    'Здравствуйте, дорогой читатель нашего ежемесячного письма',
    'שלום עולם',
    'مرحبا بكم في متجرنا',
    '新年快乐，感谢您的订阅',
    '👩‍👩‍👧‍👦🇩🇪🏳️‍🌈',
    'a@b.example, "c" <d@e.example>;',
    String.raw`back\slash (comment) "quote"`,
    'x'.repeat(90),
  ),
)

/** One line of text: single spaces, none at the ends. */
const line = fc.array(words, { maxLength: 4 }).map(parts =>
  parts
    .join(' ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim(),
)
const body = fc
  .array(fc.oneof(line, fc.constantFrom('', '.', '..', 'From me', '  indented', `${'long '.repeat(300)}end`)))
  .map(lines => lines.join('\n'))

// nodemailer omits empty parts.
const something = body.filter(text => text.trim() !== '')
const bodies = fc.oneof(
  fc.record({ html: fc.constant(null), text: something }),
  fc.record({ html: body.map(inHtml), text: something }),
  fc.record({ html: body.map(inHtml), text: fc.constant('') }),
)
const heads = fc.record({
  subject: line.filter(text => text !== ''),
  fromName: line,
  replyName: line,
  toName: line,
  listName: fc.constantFrom('News', 'Neues aus Köln', 'A, B & C'),
  note: line.filter(text => text !== ''),
  date: fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
})
const input: fc.Arbitrary<Input> = fc.tuple(heads, bodies).map(([head, rest]) => ({ ...head, ...rest }))

function inHtml(text: string): string {
  return `<html><body><p>${text}</p></body></html>`
}

const FROM = 'news@sender.test'
const REPLY = 'hello@sender.test'
const TO = 'anna@example.net'
const ID = 'c17.m4@sender.test'
const HEADERS = {
  'List-Unsubscribe': '<https://t.sender.test/u/tok>, <mailto:u-tok@bounce.sender.test>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Feedback-ID': '17:4:bulk:emma',
  Precedence: 'bulk',
  'CFBL-Address': 'fbl@sender.test; report=arf',
  'CFBL-Feedback-ID': 'tok',
}

const column = (name: 'subject' | 'html' | 'text') => (data: MergeData) => String(data.member[name])

function ours(mail: Input): Buffer {
  const compiled = compileMime({
    subject: [column('subject')],
    html: mail.html === null ? null : [column('html')],
    text: mail.text === '' ? [] : [column('text')],
    headers: {
      from: { name: mail.fromName, address: FROM },
      replyTo: { name: mail.replyName, address: REPLY },
      listId: { id: 'news.sender.test', name: mail.listName },
      feedbackId: HEADERS['Feedback-ID'],
      cfblAddress: 'fbl@sender.test',
      precedence: 'bulk',
      extra: { 'X-Note': mail.note },
    },
  })
  const built = buildMail(compiled, {
    data: { member: { ...mail }, campaign: {}, client: {}, token: 'tok', pageToken: 'tok' },
    to: { name: mail.toName, address: TO },
    messageId: ID,
    date: mail.date,
    unsubscribeUrl: 'https://t.sender.test/u/tok',
    unsubscribeMailto: 'mailto:u-tok@bounce.sender.test',
    cfblFeedbackId: 'tok',
  })
  return Buffer.concat(mailBytes(built))
}

const transport = createTransport({ streamTransport: true, newline: 'windows' })

async function theirs(mail: Input): Promise<Buffer> {
  const { message } = await transport.sendMail({
    from: { name: mail.fromName, address: FROM },
    replyTo: { name: mail.replyName, address: REPLY },
    to: { name: mail.toName, address: TO },
    subject: mail.subject,
    ...(mail.html === null ? {} : { html: mail.html }),
    text: mail.text,
    date: mail.date,
    messageId: `<${ID}>`,
    list: { id: { url: 'news.sender.test', comment: mail.listName } },
    headers: { ...HEADERS, 'X-Note': mail.note },
  })
  return Buffer.isBuffer(message) ? message : buffer(message)
}

/** The message as parsed: every header unfolded and decoded, the tree of its parts, their text. */
async function essenceOf(raw: Buffer) {
  const source = raw.toString('latin1')
  const header = source.slice(0, source.indexOf('\r\n\r\n'))
  const fields = readFields(header.split('\r\n'))
    .filter(({ name }) => !/^content-transfer-encoding$/i.test(name))
    .map(({ name, value }) => [name.toLowerCase(), decodeField(name, value)] as const)
  const { html, text, attachments } = await PostalMime.parse(raw)
  return {
    fields: Object.fromEntries(fields),
    names: fields.map(([name]) => name).toSorted(),
    parts: [...source.matchAll(/^content-type: *([^;\r]+)/gim)].map(([, type]) => type),
    html: html?.trimEnd(),
    text: text?.trimEnd(),
    attachments: attachments.length,
  }
}

function decodeField(name: string, value: string): unknown {
  if (/^(?:from|to|reply-to|list-id)$/i.test(name)) return addressParser(decodeAddress(value))
  if (/^content-type$/i.test(name)) return value.replace(/;.*/, '')
  if (/^(?:subject|x-note)$/i.test(name)) return decodeWords(value)
  return value
}

/** A name in encoded words becomes a quoted string, so that its content is not parsed as an address. */
function decodeAddress(value: string): string {
  const [, name = '', address = ''] = /^(.*?) ?(<[^<>]*>)$/.exec(value) ?? []
  return name.startsWith('=?') ? `${JSON.stringify(decodeWords(name))} ${address}` : value
}

test('builds the same message as nodemailer', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(input, async mail => {
      const raw = ours(mail)
      expect(await essenceOf(raw)).toEqual(await essenceOf(await theirs(mail)))
      expect(findMailFaults(raw)).toEqual([])
      const seen = await PostalMime.parse(raw)
      expect(seen.subject ?? '').toBe(mail.subject)
      expect(seen.text?.trimEnd() ?? '').toBe(mail.text.trimEnd())
      expect(seen.html?.trimEnd()).toBe(mail.html?.trimEnd())
    }),
    { numRuns: 300 },
  )
})
