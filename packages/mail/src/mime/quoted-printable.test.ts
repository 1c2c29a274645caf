import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeQuotedPrintable } from './quoted-printable.ts'

/** Strict RFC 2045 decoder. */
function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const awkward = fc.constantFrom(
  ' ',
  '  ',
  '\t',
  '.',
  '=',
  '\n',
  '\r\n',
  '\r',
  'From ',
  'ß',
  '€',
  '😀',
  '\0',
  'a'.repeat(74),
)
const text = fc
  .array(fc.oneof(awkward, fc.string({ unit: 'binary' })), { maxLength: 40 })
  .map(parts => parts.join(''))

describe('encodeQuotedPrintable', () => {
  it.each([
    ['', ''],
    ['Anna', 'Anna'],
    ['a=b', 'a=3Db'],
    ['Grüße', 'Gr=C3=BC=C3=9Fe'],
    ['a\tb', 'a=09b'],
    ['a   b', 'a =20 b'],
    ['a \nb ', 'a=20\r\nb=20'],
    ['a\r\n\rb\n', 'a\r\n\r\nb\r\n'],
    ['.\n..', '=2E\r\n=2E.'],
    ['From me\n>From', '=46rom me\r\n>From'],
    ['From: me', 'From: me'],
    ['x\ud800y', 'x=EF=BF=BDy'],
    ['a'.repeat(76), `${'a'.repeat(75)}=\r\na`],
    [`${'a'.repeat(75)}.`, `${'a'.repeat(75)}=\r\n=2E`],
    [`${'a'.repeat(74)}ö`, `${'a'.repeat(74)}=\r\n=C3=B6`],
  ])('%j becomes %j', (input, encoded) => {
    expect(encodeQuotedPrintable(input)).toBe(encoded)
  })

  it('encodes two megabytes of words within the test timeout', () => {
    const words = 'ab '.repeat(700_000)
    expect(decode(encodeQuotedPrintable(words))).toBe(words)
  })

  it('decodes to the same text, and is in canonical form for DKIM and SMTP', () => {
    fc.assert(
      fc.property(text, input => {
        const encoded = encodeQuotedPrintable(input)
        expect(decode(encoded)).toBe(input.replaceAll(/\r\n|\r|\n/g, '\r\n').toWellFormed())
        expect(encoded).toMatch(/^[\x20-\x7e\r\n]*$/)
        for (const line of encoded.split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76)
          expect(line).not.toMatch(/[\r\n]|^\.|^From |[ \t]$| {2}/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
