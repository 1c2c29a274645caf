import * as fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import { buildMail, mailBytes, type MailRecipient } from './build-mail.ts'
import { compileMime, type MailSource } from './compile-mime.ts'
import { cleanHeaderText, HeaderError } from './header.ts'

const member = (name: string) => (data: MergeData) => {
  const value = data.member[name]
  return typeof value === 'string' ? value : ''
}
const dataOf = (columns: Record<string, unknown>): MergeData => ({
  member: columns,
  campaign: {},
  client: {},
  token: 'tok',
  pageToken: 'tok',
})

const source: MailSource = {
  subject: ['Hello ', member('name'), '!'],
  html: [
    '<p>Dear ',
    member('name'),
    ',</p>\n<p>50 % = half   off</p>\n',
    member('offer'),
    member('offer'),
    '\n.end',
  ],
  text: ['Dear ', member('name'), ',\n\n50 % = half   off\n', member('offer'), '\n'],
  headers: {
    from: { name: 'Müller & Söhne', address: 'News@Müller.example' },
    replyTo: { name: 'Support, Team', address: 'support@example.com' },
    listId: { id: 'news.example.com', name: 'News' },
    feedbackId: '17:4:bulk:emma',
    cfblAddress: 'fbl@example.com',
    precedence: 'bulk',
    extra: { 'X-CSA-Complaints': 'csa@example.com', 'X-Note': 'für  alle' },
  },
}

const recipient: MailRecipient = {
  data: dataOf({ name: 'Jörg', offer: 'now' }),
  to: { name: 'Jörg Käfer', address: 'jk@example.net' },
  messageId: 'c17.m4@example.com',
  date: new Date('2026-11-21T01:37:00Z'),
  unsubscribeUrl: 'https://t.example.com/u/tok',
  unsubscribeMailto: 'mailto:u-tok@bounce.example.com?subject=unsubscribe',
  cfblFeedbackId: 'tok',
}

function build(changes: Partial<MailSource> = {}, to: Partial<MailRecipient> = {}): Buffer {
  return Buffer.concat(mailBytes(buildMail(compileMime({ ...source, ...changes }), { ...recipient, ...to })))
}

const parse = (raw: Buffer) => PostalMime.parse(raw)
const headerOf = (raw: Buffer, name: string) =>
  raw
    .toString()
    .split('\r\n\r\n', 1)[0]!
    .replaceAll(/\r\n(?=\s)/g, '')
    .split('\r\n')
    .find(line => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

/** Properties of the bytes of every message, whatever its content. */
function assertWireForm(raw: Buffer): void {
  const text = raw.toString('latin1')
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
  expect(text.endsWith('\r\n')).toBe(true)
  const [header = ''] = text.split('\r\n\r\n', 1)
  for (const line of header.split('\r\n')) expect(line).toMatch(/^(?:[A-Za-z][A-Za-z0-9-]*:(?: |$)| )/)
  for (const line of text.split('\r\n')) {
    expect(line.length).toBeLessThanOrEqual(998)
    expect(line).not.toMatch(/^\.|[ \t]$| {2}|\t/)
  }
  const body = text.slice(header.length + 4)
  expect(body.endsWith('\r\n\r\n')).toBe(false)
}

const headersWith = (changes: Partial<MailSource['headers']>) => ({
  headers: { ...source.headers, ...changes },
})

describe('buildMail', () => {
  it('builds alternatives that parse back to the rendered content', async () => {
    const raw = build()
    assertWireForm(raw)
    const mail = await parse(raw)
    expect(mail.subject).toBe('Hello Jörg!')
    expect(mail.from).toEqual({ name: 'Müller & Söhne', address: 'News@xn--mller-kva.example' })
    expect(mail.to).toEqual([{ name: 'Jörg Käfer', address: 'jk@example.net' }])
    expect(mail.replyTo).toEqual([{ name: 'Support, Team', address: 'support@example.com' }])
    expect(mail.html).toBe('<p>Dear Jörg,</p>\n<p>50 % = half   off</p>\nnownow\n.end\n')
    expect(mail.text?.trimEnd()).toBe('Dear Jörg,\n\n50 % = half   off\nnow')
    expect(raw.toString()).toContain('Content-Type: multipart/alternative; boundary="=_')
  })

  it('writes the header fields that receivers require of bulk mail', () => {
    const raw = build()
    expect(headerOf(raw, 'Date')).toBe('Sat, 21 Nov 2026 01:37:00 +0000')
    expect(headerOf(raw, 'Message-ID')).toBe('<c17.m4@example.com>')
    expect(headerOf(raw, 'List-Unsubscribe')).toBe(
      '<https://t.example.com/u/tok>, <mailto:u-tok@bounce.example.com?subject=unsubscribe>',
    )
    expect(headerOf(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(headerOf(raw, 'List-Id')).toBe('News <news.example.com>')
    expect(headerOf(raw, 'Feedback-ID')).toBe('17:4:bulk:emma')
    expect(headerOf(raw, 'Precedence')).toBe('bulk')
    expect(headerOf(raw, 'CFBL-Address')).toBe('fbl@example.com; report=arf')
    expect(headerOf(raw, 'CFBL-Feedback-ID')).toBe('tok')
    expect(headerOf(raw, 'X-CSA-Complaints')).toBe('csa@example.com')
    expect(headerOf(raw, 'MIME-Version')).toBe('1.0')
  })

  it('omits the bulk fields from transactional mail and marks it as auto-generated', () => {
    const headers = { from: { address: 'a@example.com' }, autoSubmitted: 'auto-generated' as const }
    const raw = build({ headers }, { unsubscribeUrl: undefined, unsubscribeMailto: undefined })
    expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-generated')
    expect(raw.toString()).not.toMatch(/^(?:List-|Precedence|Feedback-ID)/m)
  })

  it.each([
    ['ends in a constant', ['Dear ', member('name'), ' and goodbye\n\n\n']],
    ['ends in a slot', ['Dear ', member('name')]],
    ['ends in an empty slot', ['Dear you\n\n', member('none')]],
    ['is one empty slot', [member('none')]],
    ['is empty', []],
  ] satisfies [string, Segments][])('ends a text-only message that %s with one line end', async (_, text) => {
    const raw = build({ html: null, text })
    expect(raw.toString()).not.toMatch(/\r\n\r\n\r\n$|=\r\n$/)
    const mail = await parse(raw)
    expect(mail.html).toBeUndefined()
    expect((mail.text ?? '').trimEnd()).toBe(renderSegments(text, recipient.data).trimEnd())
  })

  it('builds HTML only if there is no text', async () => {
    const html = ['<p>Dear ', member('name'), '</p>\n\n']
    const raw = build({ html, text: ['\n'] })
    assertWireForm(raw)
    expect(headerOf(raw, 'Content-Type')).toBe('text/html; charset=utf-8')
    const mail = await parse(raw)
    expect([mail.html, mail.text]).toEqual(['<p>Dear Jörg</p>\n', undefined])
  })

  it('reports when a message needs SMTPUTF8', () => {
    const compiled = compileMime(source)
    expect(buildMail(compiled, recipient).smtpUtf8).toBe(false)
    expect(buildMail(compiled, { ...recipient, to: { address: 'jk@käfer.example' } }).smtpUtf8).toBe(false)
    const utf8 = buildMail(compiled, { ...recipient, to: { address: 'jörg@käfer.example' } })
    expect(utf8.smtpUtf8).toBe(true)
    expect(headerOf(Buffer.concat(mailBytes(utf8)), 'To')).toBe('jörg@xn--kfer-loa.example')
  })

  it('parses back equal, and is valid on the wire, for any values', { timeout: 60_000 }, async () => {
    const awkward = fc.constantFrom(
      ' ',
      '\r\nBcc: x@example.com',
      '\n.\r\n',
      '"',
      '\\',
      '<a@b.de>',
      '=?UTF-8?Q?x?=',
      '\0',
      'ü',
      '😀',
      '()',
      ',',
      '.',
    )
    const value = fc
      .array(fc.oneof(awkward, fc.string({ unit: 'binary', maxLength: 60 })), { maxLength: 12 })
      .map(parts => parts.join(''))
    const compiled = compileMime({
      ...source,
      subject: [member('subject')],
      html: ['<p>', member('html'), '</p>', member('html')],
      text: [member('html'), 'text'],
    })
    await fc.assert(
      fc.asyncProperty(value, value, value, async (subject, name, html) => {
        const to = { name, address: 'jk@example.net' }
        const data = dataOf({ subject, html })
        const built = buildMail(compiled, { ...recipient, to, data, extraHeaders: { 'X-Any': subject } })
        const raw = Buffer.concat(mailBytes(built))
        assertWireForm(raw)
        const mail = await parse(raw)
        expect(mail.subject ?? '').toBe(cleanHeaderText(subject))
        expect(mail.to).toEqual([{ name: cleanHeaderText(name), address: 'jk@example.net' }])
        const seen = html.toWellFormed().replaceAll(/\r\n|\r/g, '\n')
        expect(mail.html).toBe(`<p>${seen}</p>${seen}\n`)
        expect(mail.bcc).toBeUndefined()
        expect(mail.headers.map(header => header.key)).toEqual(
          built.fields.map(field => field.name.toLowerCase()),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('compileMime', () => {
  it.each([
    ['a line break in the subject', { subject: ['Hello\r\nBcc: x@example.com'] }],
    ['NUL in the subject', { subject: ['Hello\0', member('name')] }],
    ['a line break in the sender name', headersWith({ from: { name: 'A\nB', address: 'a@example.com' } })],
    ['an invalid sender address', headersWith({ from: { address: 'a@example.com\r\nX: y' } })],
    ['an invalid reply address', headersWith({ replyTo: { address: 'nobody' } })],
    ['a line break in the list name', headersWith({ listId: { id: 'news.example.com', name: 'A\r\nB' } })],
    ['a list id with brackets', headersWith({ listId: { id: 'news.example.com> <x' } })],
    ['a feedback id with a space', headersWith({ feedbackId: 'a b' })],
    ['an invalid complaint address', headersWith({ cfblAddress: 'x' })],
    ['a line break in an extra header', headersWith({ extra: { 'X-A': 'b\r\nX-C: d' } })],
    ['a line break in a header name', headersWith({ extra: { 'X-A: b\r\nX-C': 'd' } })],
    ['a header that buildMail writes itself', headersWith({ extra: { 'DKIM-Signature': 'v=1' } })],
  ] satisfies [string, Partial<MailSource>][])('refuses %s', (_, changes) => {
    expect(() => compileMime({ ...source, ...changes })).toThrow(HeaderError)
  })

  it.each([
    ['a message id with a line break', { messageId: 'a\r\n@example.com' }],
    ['an unsubscribe URL with a bracket', { unsubscribeUrl: 'https://example.com/>,<x' }],
    ['an unsubscribe URL of another scheme', { unsubscribeUrl: 'javascript:alert(1)' }],
    ['a mailto URI with a comma', { unsubscribeMailto: 'mailto:a@example.com,b@example.com' }],
    ['an invalid recipient address', { to: { address: 'a@example.com>\r\nBcc: <b@example.com' } }],
    ['an extra header that buildMail writes itself', { extraHeaders: { Bcc: 'a@example.com' } }],
  ] satisfies [string, Partial<MailRecipient>][])('buildMail refuses %s', (_, changes) => {
    expect(() => build({}, changes)).toThrow(HeaderError)
  })
})
