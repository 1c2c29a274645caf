import * as fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { generateDkimKey, loadDkimKey } from '../dkim/dkim-key.ts'
import { signMail } from '../dkim/sign-mail.ts'
import { verifyMail } from '../dkim/verify-mail.ts'
import { findMailFaults } from '../test/strict-mail.ts'
import { buildMail, mailBytes } from './build-mail.ts'
import { compileMime, type MailSource, withAttachments } from './compile-mime.ts'

const source: MailSource = {
  subject: ['Offer'],
  html: ['<p>Hello ', data => String(data.member['name']), '</p>'],
  text: ['Hello'],
  headers: { from: { address: 'news@sender.test' } },
}
const pdf = {
  name: 'Prices.pdf',
  type: 'application/pdf',
  content: Buffer.from('%PDF-1.7\n\0\xff\r\n.\r\n', 'latin1'),
}

const recipient = {
  data: { member: { name: 'Ann' }, campaign: {}, client: {}, token: 't', pageToken: 't' },
  to: { address: 'ann@example.net' },
  messageId: 'a@sender.test',
  date: new Date('2026-11-21T01:37:00Z'),
}

function built(changes: Partial<MailSource>) {
  return buildMail(compileMime({ ...source, ...changes }), recipient)
}

const raw = (changes: Partial<MailSource>) => Buffer.concat(mailBytes(built(changes)))

async function attached(bytes: Buffer) {
  const { attachments } = await PostalMime.parse(bytes)
  return attachments.map(({ filename, mimeType, disposition, content }) => ({
    name: filename,
    type: mimeType,
    disposition,
    content: Buffer.from(typeof content === 'string' ? content : new Uint8Array(content)),
  }))
}

describe('attachments of one recipient', () => {
  const image = { name: 'map.png', type: 'image/png', content: Buffer.from([1, 2, 3]) }
  const forOne = (changes: Partial<MailSource>) =>
    Buffer.concat(
      mailBytes(buildMail(withAttachments(compileMime({ ...source, ...changes }), [image]), recipient)),
    )

  it.each<[string, Partial<MailSource>]>([
    ['alternatives', {}],
    ['HTML alone', { text: [] }],
    ['text alone', { html: null, text: ['Hello ', data => String(data.member['name'])] }],
    ['text that ends in a value', { html: null, text: [data => String(data.member['name'])] }],
    ['another charset', { charset: 'iso-8859-1' }],
    ['a value that the charset lacks', { charset: 'iso-8859-1', subject: [() => 'Ω'] }],
  ])('are the same bytes as shared ones, but for boundaries: %s', (_, changes) => {
    const plain = (bytes: Buffer) => {
      const names = [...new Set(bytes.toString('latin1').match(/=_[0-9a-f]{24}/g))]
      return names.reduce(
        (text, name, index) => text.replaceAll(name, `=_${index}`),
        bytes.toString('latin1'),
      )
    }
    expect(findMailFaults(forOne(changes), { utf8: false })).toEqual([])
    expect(plain(forOne(changes))).toBe(plain(raw({ ...changes, attachments: [image] })))
  })

  it('follow those of the message', async () => {
    const bytes = forOne({ attachments: [pdf] })
    expect(findMailFaults(bytes, { utf8: false })).toEqual([])
    expect(await attached(bytes)).toEqual([
      { ...pdf, disposition: 'attachment' },
      { ...image, disposition: 'attachment' },
    ])
  })
})

describe('inline images', () => {
  const logo = {
    name: 'logo.png',
    type: 'image/png',
    content: Buffer.from([1, 2, 3]),
    contentId: 'logo@shop',
  }
  const photo = { ...logo, name: 'photo.png', contentId: 'photo' }

  it.each<[string, Partial<MailSource>, string[]]>([
    ['alternatives', {}, ['related', 'alternative']],
    ['HTML alone', { text: [] }, ['related']],
    ['alternatives with attachments', { attachments: [pdf] }, ['mixed', 'related', 'alternative']],
    ['HTML with attachments', { text: [], attachments: [pdf] }, ['mixed', 'related']],
    ['text alone', { html: null }, ['mixed']],
    ['a charset', { charset: 'iso-8859-1', attachments: [pdf] }, ['mixed', 'related', 'alternative']],
    [
      'a value that the charset lacks',
      { charset: 'iso-8859-1', subject: [() => 'Ω'] },
      ['related', 'alternative'],
    ],
  ])('are related to the HTML: %s', async (_, changes, structure) => {
    const mail = buildMail(withAttachments(compileMime({ ...source, ...changes }), [logo, photo]), recipient)
    const bytes = Buffer.concat(mailBytes(mail))
    expect(findMailFaults(bytes, { utf8: false })).toEqual([])
    const found = [...bytes.toString('latin1').matchAll(/^Content-Type: multipart\/(\w+)/gm)]
    expect(found.map(([, subtype]) => subtype)).toEqual(structure)
    const { attachments, html } = await PostalMime.parse(bytes)
    const isShown = changes.html !== null
    expect(attachments.filter(({ filename }) => filename !== pdf.name)).toMatchObject(
      [logo, photo].map(({ name, contentId }) => ({
        filename: name,
        ...(isShown && { contentId: `<${contentId}>` }),
        disposition: isShown ? 'inline' : 'attachment',
      })),
    )
    if (isShown) expect(html).toContain('Hello Ann')
  })

  it('precede attachments of the same recipient', async () => {
    const mail = withAttachments(compileMime({ ...source, attachments: [pdf] }), [
      { ...pdf, name: 'Own.pdf' },
      logo,
    ])
    const bytes = Buffer.concat(mailBytes(buildMail(mail, recipient)))
    expect(findMailFaults(bytes, { utf8: false })).toEqual([])
    expect((await attached(bytes)).map(({ name }) => name)).toEqual(['logo.png', 'Prices.pdf', 'Own.pdf'])
  })
})

describe('attachments', () => {
  it('follow the alternatives in multipart/mixed', async () => {
    const image = { name: 'map.png', type: 'image/png', content: new Uint8Array([1, 2, 3]) }
    const bytes = raw({ attachments: [pdf, image] })
    expect(findMailFaults(bytes, { utf8: false })).toEqual([])
    expect(await attached(bytes)).toEqual([
      { ...pdf, disposition: 'attachment' },
      { ...image, content: Buffer.from(image.content), disposition: 'attachment' },
    ])
    const mail = await PostalMime.parse(bytes)
    expect(mail.html).toContain('Hello Ann')
    expect(mail.text).toContain('Hello')
  })

  it.each<[string, Partial<MailSource>]>([
    ['HTML alone', { text: [] }],
    ['text alone', { html: null }],
    ['text that ends in an empty value', { html: null, text: ['Hello', () => ''] }],
  ])('follow %s', async (_, changes) => {
    const bytes = raw({ ...changes, attachments: [pdf] })
    expect(findMailFaults(bytes, { utf8: false })).toEqual([])
    expect(await attached(bytes)).toEqual([{ ...pdf, disposition: 'attachment' }])
    expect((await PostalMime.parse(bytes)).text ?? 'Hello').toContain('Hello')
  })

  it.each([
    'Preisliste März 2026.pdf',
    'a "quoted" \\ name.pdf',
    `${'ein sehr langer Name '.repeat(6)}.pdf`,
    '価格表👩‍👩‍👧‍👦.pdf',
    "it's 100%.pdf",
  ])('keep the name %s', async name => {
    const bytes = raw({ attachments: [{ ...pdf, name }] })
    expect(findMailFaults(bytes, { utf8: false })).toEqual([])
    expect((await attached(bytes))[0]?.name).toBe(name)
  })

  it('keep any name and content', async () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
      .filter(name => !/^\s|\s$|\p{Cc}/u.test(name))
    await fc.assert(
      fc.asyncProperty(names, fc.uint8Array({ maxLength: 400 }), async (name, content) => {
        const [found] = await attached(raw({ attachments: [{ ...pdf, name, content }] }))
        expect(found?.content).toEqual(Buffer.from(content))
        expect(found?.name).toBe(name.toWellFormed())
      }),
      { numRuns: 60 },
    )
  })

  it('are covered by the DKIM signature', async () => {
    const key = generateDkimKey('rsa')
    const mail = built({ attachments: [pdf] })
    const signatures = signMail(mail, [
      loadDkimKey({ domain: 'sender.test', selector: 'r1', privatePem: key.privatePem }),
    ])
    const bytes = Buffer.concat(mailBytes(mail, signatures))
    const resolve = async () => [key.publicTxt]
    expect(await verifyMail(bytes, ['sender.test'], resolve)).toEqual(['sender.test'])
    const encoded = pdf.content.toString('base64')
    const changed = Buffer.from(bytes.toString('latin1').replace(encoded, `A${encoded.slice(1)}`), 'latin1')
    expect(await verifyMail(changed, ['sender.test'], resolve)).toEqual([])
  })
})
