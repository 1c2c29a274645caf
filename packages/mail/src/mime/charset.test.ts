import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { findMailFaults } from '../test/strict-mail.ts'
import { buildMail, mailBytes } from './build-mail.ts'
import { findCharset, hasCharacters } from './charset.ts'
import { compileMime, type MailSource } from './compile-mime.ts'

const name = (data: { member: Record<string, unknown> }) => String(data.member['name'])
const source: MailSource = {
  subject: ['Grüße an ', name],
  html: ['<html><head><meta charset="utf-8"></head><body><p>Schöne Grüße, ', name, '</p></body></html>'],
  text: ['Schöne Grüße, ', name],
  headers: { from: { address: 'news@sender.test', name: 'Müller' } },
}

function build(member: string, changes: Partial<MailSource>): Buffer {
  const mail = buildMail(compileMime({ ...source, ...changes }), {
    data: { member: { name: member }, campaign: {}, client: {}, token: 't', pageToken: 't' },
    to: { address: 'ann@example.net' },
    messageId: 'a@sender.test',
    date: new Date('2026-11-21T01:37:00Z'),
  })
  return Buffer.concat(mailBytes(mail))
}

describe.each([
  ['iso-8859-1', 'Jörg', 'Grüße', '=F6'],
  ['iso-8859-2', 'Łukasz', 'Gruß', '=A3'],
  ['iso-8859-15', 'Jörg €', 'Grüße', '=A4'],
  ['windows-1250', 'Łukasz', 'Grüße', '=A3'],
  ['windows-1251', 'Юрий', 'Привет', '=DE'],
  ['windows-1252', 'Jörg “€”', 'Grüße – jetzt', '=93'],
])('a mail in %s', (charset, member, greeting, byte) => {
  const changes = { charset, subject: [`${greeting} an `, name], text: [greeting, ' ', name], html: null }

  it('is decoded to the same text', async () => {
    const raw = build(member, changes)
    expect(findMailFaults(raw, { charset: charset.toUpperCase() })).toEqual([])
    expect(raw.toString('latin1')).toContain(`Content-Type: text/plain; charset=${charset}\r\n`)
    expect(raw.toString('latin1')).toContain(`Subject: =?${charset.toUpperCase()}?`)
    expect(raw.toString('latin1')).toContain(byte)
    const mail = await PostalMime.parse(raw)
    expect(mail.subject).toBe(`${greeting} an ${member}`)
    expect(mail.text?.trimEnd()).toBe(`${greeting} ${member}`)
  })

  it('is UTF-8 for a recipient with a value that the charset lacks', async () => {
    const raw = build('王', changes)
    expect(raw.toString('latin1')).toContain('charset=utf-8')
    const mail = await PostalMime.parse(raw)
    expect(mail.subject).toBe(`${greeting} an 王`)
    expect(mail.text?.trimEnd()).toBe(`${greeting} 王`)
  })
})

it('the HTML declares the charset that it is sent in', async () => {
  const charset = 'iso-8859-1'
  const mail = await PostalMime.parse(build('Jörg', { charset }))
  expect(mail.html).toContain('<meta charset="iso-8859-1"></head><body><p>Schöne Grüße, Jörg</p>')
  const fallback = await PostalMime.parse(build('王', { charset }))
  expect(fallback.html).toContain('<meta charset="utf-8"></head><body><p>Schöne Grüße, 王</p>')
})

it('a mail whose own text needs more characters is UTF-8 for everybody', async () => {
  const raw = build('Ann', { charset: 'iso-8859-1', text: ['5 € – ', name] })
  expect(raw.toString('latin1')).not.toContain('iso-8859-1')
  expect((await PostalMime.parse(raw)).text?.trimEnd()).toBe('5 € – Ann')
})

it('control characters and halves of characters are in no charset', () => {
  const charset = findCharset('iso-8859-1')
  expect(charset && ['\x85', '\ud800', '€'].map(text => hasCharacters(charset, text))).toEqual([
    false,
    false,
    false,
  ])
  expect(findCharset('utf-8')).toBeNull()
})
