import { describe, expect, it } from 'vitest'
import { decodeEntities, escapeAttribute } from './html-entities.ts'

describe('decodeEntities', () => {
  it('decodes entities that occur in URLs and names', () => {
    expect(decodeEntities('?a=1&amp;b=2&#38;c=3&#x26;d=&quot;')).toBe('?a=1&b=2&c=3&d="')
    expect(decodeEntities('?a=1&copy=2&unknown;x')).toBe('?a=1&copy=2&unknown;x')
    expect(decodeEntities('java&#115cript&#x3A;&Tab;&NewLine;')).toBe('javascript:\t\n')
    expect(decodeEntities('&#0000000000106;&#xD800;&#9999999;')).toBe('j\ufffd\ufffd')
  })

  it('reverses escapeAttribute', () => {
    const text = `a&b"<c>'d`
    expect(decodeEntities(escapeAttribute(text))).toBe(text)
  })
})
