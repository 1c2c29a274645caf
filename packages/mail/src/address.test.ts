import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressDomain, needsSmtpUtf8, parseAddress } from './address.ts'

const localOf = (length: number) => 'a'.repeat(length)
const domainOf = (length: number) => `${`${'b'.repeat(59)}.`.repeat(3)}${'c'.repeat(length - 183)}.de`

describe('R273 parseAddress', () => {
  it.each([
    ['anna@example.com', 'anna@example.com', 'example.com'],
    ['  Anna.Muster@GMX.DE\t', 'Anna.Muster@gmx.de', 'gmx.de'],
    ["o'brien+tag@example.co.uk", "o'brien+tag@example.co.uk", 'example.co.uk'],
    ['info@müller.example', 'info@xn--mller-kva.example', 'xn--mller-kva.example'],
    [`${localOf(64)}@example.com`, `${localOf(64)}@example.com`, 'example.com'],
    ['jörg@müller.example', 'jörg@xn--mller-kva.example', 'xn--mller-kva.example'],
    // NFC and lower case, whatever the input form.
    ['JO\u0308RG@example.com', 'jörg@example.com', 'example.com'],
    ['ΝΊΚΟΣ@example.com', 'νίκος@example.com', 'example.com'],
    ['用户@example.com', '用户@example.com', 'example.com'],
    // U+212A KELVIN SIGN normalizes to ASCII "K", whose case is preserved.
    ['\u212aurt@example.com', 'Kurt@example.com', 'example.com'],
  ])('accepts %j', (input, email, domain) => {
    expect(parseAddress(input)).toEqual({ ok: true, email, domain })
  })

  it.each([
    [null, 'missing'],
    [undefined, 'missing'],
    ['', 'missing'],
    [' \t', 'missing'],
    ['anna', 'no-at'],
    ['@example.com', 'local-missing'],
    ['anna@', 'domain-missing'],
    ['anna@@example.com', 'local-syntax'],
    ['a b@example.com', 'local-syntax'],
    ['.anna@example.com', 'local-syntax'],
    ['anna.@example.com', 'local-syntax'],
    ['an..na@example.com', 'local-syntax'],
    ['<anna@example.com>', 'local-syntax'],
    ['Anna <anna@example.com>', 'local-syntax'],
    ['a,b@example.com', 'local-syntax'],
    ['a\r\nRCPT TO:<x@y.de>@example.com', 'local-syntax'],
    ['anna\0@example.com', 'local-syntax'],
    ['"anna muster"@example.com', 'local-quoted'],
    // U+037E normalizes to a semicolon.
    ['a\u037eb@example.com', 'local-syntax'],
    [`${localOf(65)}@example.com`, 'local-too-long'],
    [`${'ö'.repeat(33)}@example.com`, 'local-too-long'],
    [`a@${'b'.repeat(64)}.com`, 'label-too-long'],
    ['anna@localhost', 'no-tld'],
    ['anna@[192.0.2.1]', 'domain-syntax'],
    ['anna@exa\nmple.com', 'domain-syntax'],
  ])('refuses %j', (input, reason) => {
    expect(parseAddress(input)).toEqual({ ok: false, reason })
  })

  it('limits addresses to 254 octets, counted after punycode encoding', () => {
    const fits = `${localOf(64)}@${domainOf(189)}`
    expect(fits).toHaveLength(254)
    expect(parseAddress(fits)).toMatchObject({ ok: true })
    expect(parseAddress(`${localOf(64)}@${domainOf(190)}`)).toEqual({ ok: false, reason: 'too-long' })
  })

  it('rejects invisible characters outside ASCII, and non-ASCII sender addresses', () => {
    for (const bad of ['jö\u200brg', 'jö\u00a0rg', 'jö\u0085rg', 'j\ud800rg', 'jö\u202erg'])
      expect(parseAddress(`${bad}@example.com`)).toMatchObject({ reason: 'local-syntax' })
    expect(parseAddress('jörg@example.com', { asciiLocal: true })).toMatchObject({
      reason: 'local-not-ascii',
    })
    expect(parseAddress('jorg@müller.example', { asciiLocal: true })).toMatchObject({ ok: true })
  })

  it('measures the stored form, which may be longer than the input', () => {
    // "İ" has three octets in lower case, two in upper case.
    expect(parseAddress(`${'İ'.repeat(21)}@example.com`)).toMatchObject({ ok: true })
    expect(parseAddress(`${'İ'.repeat(22)}@example.com`)).toMatchObject({ reason: 'local-too-long' })
  })

  it('maps letters that differ only in case or composition to one form', () => {
    for (let code = 0x80; code <= 0x1ffff; code++) {
      const stored = parseAddress(`a${String.fromCodePoint(code)}b@example.com`)
      if (!stored.ok) continue
      expect(stored.email).toBe(stored.email.normalize('NFC'))
      expect(stored.email.toLowerCase()).toBe(
        stored.email === 'aKb@example.com' ? 'akb@example.com' : stored.email,
      )
      expect(parseAddress(stored.email)).toEqual(stored)
      expect(parseAddress(stored.email.normalize('NFD'))).toEqual(stored)
    }
  })

  it('is idempotent, and its results contain nothing that could break an SMTP command', () => {
    const anything = fc.oneof(
      fc.emailAddress(),
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string({ unit: 'binary' }), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
    )
    fc.assert(
      fc.property(anything, fc.boolean(), (input, asciiLocal) => {
        const first = parseAddress(input, { asciiLocal })
        if (!first.ok) return first.reason.length > 0
        expect(first.email).not.toMatch(/[\s<>"\\,;:\0]/)
        expect(Buffer.byteLength(first.email)).toBeLessThanOrEqual(254)
        expect(parseAddress(first.email, { asciiLocal })).toEqual(first)
        return true
      }),
      { numRuns: 1000 },
    )
  })
})

describe('needsSmtpUtf8', () => {
  it('checks only the characters of the address', () => {
    expect(needsSmtpUtf8('anna@xn--mller-kva.example')).toBe(false)
    expect(needsSmtpUtf8('jörg@example.com')).toBe(true)
  })
})

it('addressDomain returns what follows the last @', () => {
  expect(addressDomain('"a@b"@Example.TEST')).toBe('example.test')
  expect(addressDomain('ann@example.test')).toBe('example.test')
})
