import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADDRESS_FAULTS, needsSmtpUtf8, parseAddress } from './address.ts'

const localOf = (length: number) => 'a'.repeat(length)
const domainOf = (length: number) => `${`${'b'.repeat(59)}.`.repeat(3)}${'c'.repeat(length - 183)}.de`

describe('R273 parseAddress', () => {
  it.each([
    ['anna@example.com', 'anna@example.com', 'example.com'],
    ['  Anna.Muster@GMX.DE\t', 'Anna.Muster@gmx.de', 'gmx.de'],
    ["o'brien+tag@example.co.uk", "o'brien+tag@example.co.uk", 'example.co.uk'],
    ['info@müller.example', 'info@xn--mller-kva.example', 'xn--mller-kva.example'],
    [`${localOf(64)}@example.com`, `${localOf(64)}@example.com`, 'example.com'],
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
    ['jörg@example.com', 'local-not-ascii'],
    [`${localOf(65)}@example.com`, 'local-too-long'],
    [`${'ö'.repeat(33)}@example.com`, 'local-too-long'],
    [`a@${'b'.repeat(64)}.com`, 'label-too-long'],
    ['anna@localhost', 'no-tld'],
    ['anna@[192.0.2.1]', 'domain-syntax'],
    ['anna@exa\nmple.com', 'domain-syntax'],
  ])('refuses %j', (input, reason) => {
    expect(parseAddress(input)).toEqual({ ok: false, reason })
  })

  it('draws the line at 254 octets, counted after punycode', () => {
    const fits = `${localOf(64)}@${domainOf(189)}`
    expect(fits).toHaveLength(254)
    expect(parseAddress(fits)).toMatchObject({ ok: true })
    expect(parseAddress(`${localOf(64)}@${domainOf(190)}`)).toEqual({ ok: false, reason: 'too-long' })
  })

  it('lets local parts outside ASCII pass when asked, without invisible characters', () => {
    expect(parseAddress('jörg@müller.example', { utf8Local: true })).toMatchObject({
      email: 'jörg@xn--mller-kva.example',
    })
    for (const bad of ['jö\u200brg', 'jö\u00a0rg', 'jö\u0085rg', 'j\ud800rg', 'jö\u202erg'])
      expect(parseAddress(`${bad}@example.com`, { utf8Local: true })).toMatchObject({
        reason: 'local-syntax',
      })
  })

  it('accepts its own results and puts nothing on the wire that could break a command', () => {
    const anything = fc.oneof(
      fc.emailAddress(),
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string({ unit: 'binary' }), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
    )
    fc.assert(
      fc.property(anything, fc.boolean(), (input, utf8Local) => {
        const first = parseAddress(input, { utf8Local })
        if (!first.ok) return ADDRESS_FAULTS[first.reason] !== ''
        expect(first.email).not.toMatch(/[\s<>"\\,;:\0]/)
        expect(Buffer.byteLength(first.email)).toBeLessThanOrEqual(254)
        expect(parseAddress(first.email, { utf8Local })).toEqual(first)
        return true
      }),
      { numRuns: 1000 },
    )
  })
})

describe('needsSmtpUtf8', () => {
  it('is about the characters of the address alone', () => {
    expect(needsSmtpUtf8('anna@xn--mller-kva.example')).toBe(false)
    expect(needsSmtpUtf8('jörg@example.com')).toBe(true)
  })
})
