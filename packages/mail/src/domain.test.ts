import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isIpv4, organisationalDomain, parseDomain } from './domain.ts'

describe('R274 parseDomain', () => {
  it.each([
    ['example.com', 'example.com'],
    [' GMX.DE ', 'gmx.de'],
    ['Müller.example', 'xn--mller-kva.example'],
    ['xn--mller-kva.example', 'xn--mller-kva.example'],
    ['почта.рф', 'xn--80a1acny.xn--p1ai'],
    ['a-b.c1.museum', 'a-b.c1.museum'],
    [`${'a'.repeat(63)}.de`, `${'a'.repeat(63)}.de`],
  ])('accepts %j', (input, domain) => {
    expect(parseDomain(input)).toEqual({ ok: true, domain })
  })

  it.each([
    ['', 'domain-missing'],
    ['   ', 'domain-missing'],
    ['localhost', 'no-tld'],
    ['example.c', 'no-tld'],
    ['example.c0m', 'no-tld'],
    ['127.0.0.1', 'no-tld'],
    ['[127.0.0.1]', 'domain-syntax'],
    ['１２７.０.０.１', 'no-tld'],
    ['exa mple.com', 'domain-syntax'],
    ['exa_mple.com', 'domain-syntax'],
    ['.example.com', 'domain-syntax'],
    ['example..com', 'domain-syntax'],
    ['example.com.', 'domain-syntax'],
    ['-example.com', 'domain-syntax'],
    ['example-.com', 'domain-syntax'],
    ['ü\tb.com', 'domain-syntax'],
    ['ü％41b.com', 'domain-syntax'],
    ['exam\r\nple.com', 'domain-syntax'],
    ['exam\0ple.com', 'domain-syntax'],
    ['ü@b.com', 'domain-syntax'],
    ['ü/b.com', 'domain-syntax'],
    [`${'a'.repeat(64)}.de`, 'label-too-long'],
    [`${`${'a'.repeat(62)}.`.repeat(4)}de`, 'domain-too-long'],
    ['a'.repeat(2000), 'domain-too-long'],
  ])('refuses %j', (input, reason) => {
    expect(parseDomain(input)).toEqual({ ok: false, reason })
  })

  it('returns a name of DNS characters only, which it accepts again unchanged', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.string({ unit: 'binary' }),
          fc.string().map(s => `${s}.com`),
        ),
        input => {
          const first = parseDomain(input)
          if (!first.ok) return
          expect(first.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
          expect(parseDomain(first.domain)).toEqual(first)
        },
      ),
    )
  })
})

describe('organisationalDomain', () => {
  it.each([
    ['news.mail.example.co.uk', 'example.co.uk'],
    ['example.com', 'example.com'],
    ['a.b.github.io', 'b.github.io'],
    ['co.uk', null],
    ['xn--mller-kva.de', 'xn--mller-kva.de'],
  ])('of %s is %s', (domain, expected) => {
    expect(organisationalDomain(domain)).toBe(expected)
  })
})

describe('R275 isIpv4', () => {
  it.each(['0.0.0.0', '255.255.255.255', '192.0.2.1'])('accepts %s', input =>
    expect(isIpv4(input)).toBe(true),
  )
  it.each([
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.',
    '',
    ' 1.2.3.4',
    '1.2.3.-4',
    '1e1.2.3.4',
    '::1',
  ])('refuses %j', input => expect(isIpv4(input)).toBe(false))
})
