import { describe, expect, it } from 'vitest'
import { contentPolicy, hasRemoteContent } from './prepare-mail.ts'

describe('contentPolicy', () => {
  it('blocks remote content unless allowed', () => {
    const strict = contentPolicy(false, new URL('https://emma.example'))
    expect(strict).toContain("default-src 'none'")
    expect(strict).toContain('img-src data:;')
    expect(strict).not.toMatch(/https?:/)
    expect(strict).not.toContain('script-src')
  })

  it('allows images and fonts only, never scripts or forms', () => {
    const open = contentPolicy(true, new URL('https://emma.example'))
    expect(open).toContain('img-src data: https://emma.example:* https:;')
    expect(open).toContain('font-src data: https://emma.example:* https:;')
    expect(open).toContain("style-src 'unsafe-inline';")
    expect(open).toContain("form-action 'none'")
    expect(open).toContain("default-src 'none'")
  })
})

describe('hasRemoteContent', () => {
  it.each([
    '<img src="https://x.example/a.png">',
    '<img src=//x.example/a.png>',
    '<td background="http://x.example/b.gif">',
    '<p style="background:url(https://x.example/c.png)">',
  ])('finds %s', html => expect(hasRemoteContent(html)).toBe(true))

  it.each([
    '<p>https://x.example</p>',
    '<img src="data:image/png;base64,AA">',
    '<a href="https://x.example">x</a>',
  ])('ignores %s', html => expect(hasRemoteContent(html)).toBe(false))
})
