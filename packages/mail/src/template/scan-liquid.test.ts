import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mask, maskLiquid, protectLiquid, scanLiquid } from './scan-liquid.ts'

const source = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{ a }}',
        '{{ "}}" }}',
        "{%- if a > '1' -%}",
        '{% raw %}{{ x }}{% endraw %}',
        '{% comment %}{{{% endcomment %}',
        '<td>',
        'ä\n',
      ),
      fc.string(),
    ),
  )
  .map(parts => parts.join(''))

/** Random text may contain an unclosed `{{`, which has its own tests. */
function scannable(text: string): boolean {
  try {
    scanLiquid(text)
    return true
  } catch {
    return false
  }
}

describe('scanLiquid', () => {
  it('splits without gaps', () => {
    fc.assert(
      fc.property(source, text => {
        fc.pre(scannable(text))
        expect(
          scanLiquid(text)
            .map(piece => text.slice(piece.start, piece.end))
            .join(''),
        ).toBe(text)
      }),
    )
  })

  it('treats raw and comment blocks as one piece', () => {
    const pieces = scanLiquid('a{% raw %}{{ x }}{% endraw %}b{% comment %}{{ y }}{% endcomment %}')
    expect(pieces.map(piece => (piece.type === 'tag' ? piece.name : piece.type))).toEqual([
      'text',
      'raw',
      'text',
      'comment',
    ])
  })
})

describe('maskLiquid', () => {
  it('preserves every offset', () => {
    const html = '<a href="{{ member.url | default: "https://x" }}">y</a>'
    const masked = maskLiquid(html)
    expect(masked).toHaveLength(html.length)
    expect(masked.replaceAll(mask, '')).toBe('<a href="">y</a>')
    fc.assert(
      fc.property(source, text => {
        fc.pre(scannable(text))
        expect(maskLiquid(text)).toHaveLength(text.length)
      }),
    )
  })
})

describe('protectLiquid', () => {
  it('can be restored, also after a change of case', () => {
    fc.assert(
      fc.property(source, text => {
        fc.pre(scannable(text))
        const kept = protectLiquid(text)
        expect(kept.restore(kept.text)).toBe(text)
      }),
    )
    const kept = protectLiquid('a liqz0x {{ member.x }}')
    expect(kept.restore(kept.text.toUpperCase())).toBe('A LIQZ0X {{ member.x }}')
  })
})
