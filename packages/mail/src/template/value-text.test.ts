import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLine, dateText, escapeHtml, toHtml, toLine, toPlainText, toText } from './value-text.ts'

describe('toText', () => {
  it('formats every type of column value', () => {
    expect(toText('a')).toBe('a')
    expect(toText(1.5)).toBe('1.5')
    expect(toText(true)).toBe('true')
    expect(toText(12n)).toBe('12')
    expect(toText(['a', 1, null, 'b'])).toBe('a1b')
    expect(toText(new Date('2026-03-01'))).toBe('2026-03-01')
    for (const nothing of [null, undefined, {}, Number.NaN, new Date('x'), Object.create(null), () => 'x']) {
      expect(toText(nothing)).toBe('')
    }
  })
})

describe('dateText', () => {
  it('omits zero fractions', () => {
    expect(dateText(new Date('2026-03-01T00:00:00Z'))).toBe('2026-03-01')
    expect(dateText(new Date('2026-03-01T22:30:00Z'))).toBe('2026-03-01 22:30')
    expect(dateText(new Date('2026-03-01T22:30:07Z'))).toBe('2026-03-01 22:30:07')
  })
})

describe('escapeHtml', () => {
  it('leaves nothing that could be markup or end an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(escapeHtml(text)).not.toMatch(/[<>"'\0]/)
      }),
    )
    expect(toHtml('<a href="x">\'&\u0000\u0007\t\n')).toBe('&lt;a href=&#34;x&#34;&gt;&#39;&amp;\t\n')
  })
})

function isControl(character: string): boolean {
  return character < ' ' || '\u007f\u0085\u2028\u2029'.includes(character)
}

describe('lines and plain text', () => {
  it('leaves no line break and no control character in a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(toLine(text).split('').filter(isControl)).toEqual([])
      }),
    )
    expect(cleanLine('a\r\nBcc: b\u0000c')).toBe('a Bcc: bc')
  })

  it('preserves only tabs and line breaks in text', () => {
    expect(toPlainText('a\tb\r\nc\u0000\u001b[31md')).toBe('a\tb\r\nc[31md')
  })
})
