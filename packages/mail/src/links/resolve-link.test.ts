import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MergeData } from '../segments.ts'
import { isWrittenHost, LinkError, resolveLink } from './resolve-link.ts'

function data(member: Record<string, unknown>): MergeData {
  return { member, campaign: { id: 7 }, client: {}, token: 'TOKEN', pageToken: 'TOKEN' }
}

describe('resolveLink', () => {
  it('returns constant URLs in a form that fits a header', () => {
    expect(resolveLink('https://x.example/a?b=c#d', data({}))).toBe('https://x.example/a?b=c#d')
    expect(resolveLink('http://münchen.example/ü', data({}))).toBe('http://xn--mnchen-3ya.example/%C3%BC')
  })

  it('encodes merged values for their position', () => {
    const member = {
      id: 'a&b=c/d?e',
      name: 'Jörg & Söhne',
      url: 'https://shop.example/?a=1&b=2',
      path: 'a/b?c=d',
    }
    const resolve = (template: string) => resolveLink(template, data(member))
    expect(resolve('https://x.example/{{ member.id }}?n={{ member.name }}')).toBe(
      'https://x.example/a%26b%3Dc%2Fd%3Fe?n=J%C3%B6rg%20%26%20S%C3%B6hne',
    )
    expect(resolve('https://x.example/?n={{ member.name | url_encode }}')).toBe(
      'https://x.example/?n=J%C3%B6rg+%26+S%C3%B6hne',
    )
    expect(resolve('{{ member.url }}&c={{ campaign.id }}')).toBe('https://shop.example/?a=1&b=2&c=7')
    expect(resolve('{{ member.gone | default: "https://d.example" }}')).toBe('https://d.example/')
    expect(resolve('https://x.example/{{ member.path | raw }}')).toBe('https://x.example/a/b?c=d')
    expect(resolve('{% if member.gone %}{{ member.gone }}{% else %}{{ member.url }}{% endif %}')).toBe(
      member.url,
    )
    expect(
      resolve('https://x.example/{% if member.id %}{{ member.id }}{% else %}{{ member.path }}{% endif %}'),
    ).toBe('https://x.example/a%26b%3Dc%2Fd%3Fe')
    expect(resolve('https://x.example/{% for i in (1..2) %}{{ i }}{% endfor %}')).toBe('https://x.example/12')
  })

  it('accepts only web URLs', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '',
      '/x',
      'mailto:a@b.example',
      'file:///etc/passwd',
      null,
    ]) {
      expect(() => resolveLink('{{ member.url }}', data({ url }))).toThrow(LinkError)
    }
    expect(() => resolveLink('ftp://x.example', data({}))).toThrow(LinkError)
    expect(() => resolveLink('https://{{ member.host }}/x', data({ host: 'evil.example/y' }))).toThrow(
      LinkError,
    )
    expect(() =>
      resolveLink('https://x{{ member.host | raw }}/x', data({ host: '.evil.example/y' })),
    ).toThrow(LinkError)
    expect(() => resolveLink('https://x.example/{% broken', data({}))).toThrow(LinkError)
  })

  it('rejects merged URLs with a user name or control characters', () => {
    for (const url of [
      'https://shop.example@evil.example',
      'https://a:b@evil.example',
      'https://ev\til.example',
    ])
      expect(() => resolveLink('{{ member.url }}', data({ url }))).toThrow(LinkError)
  })

  it('distinguishes hosts of the template from hosts of the data', () => {
    const isWritten = (template: string, url = 'https://evil.example') =>
      isWrittenHost(template, resolveLink(template, data({ url, x: 'evil' })))
    expect(isWritten('https://shop.example/{{ member.x }}')).toBe(true)
    expect(isWritten('{{ member.none | default: "https://shop.example/a" }}')).toBe(true)
    expect(isWritten('{% if member.x %}https://a.example{% else %}https://b.example{% endif %}')).toBe(true)
    expect(isWritten('{{ member.url }}')).toBe(false)
    expect(isWritten('{{ member.url | default: "https://shop.example/a" }}')).toBe(false)
    expect(isWritten('https://{{ member.x }}.example/')).toBe(false)
    expect(isWritten('https://shop.{{ member.x }}/')).toBe(false)
    expect(isWritten('{{ member.url }}?https://shop.example/')).toBe(false)
  })

  it('never leaves the host of the template, and never breaks a header', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', ' | raw', ' | url_encode', ' | upcase'),
        (value, filter) => {
          const url = resolveLink(
            `https://x.example/a/{{ member.v${filter} }}?q={{ member.v }}`,
            data({ v: value }),
          )
          expect(new URL(url).host).toBe('x.example')
          expect(url).toMatch(/^[\x21-\x7e]+$/)
        },
      ),
    )
  })
})
