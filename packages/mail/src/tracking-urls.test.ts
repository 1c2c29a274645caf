import { describe, expect, it } from 'vitest'
import {
  browserUrl,
  clickUrl,
  doiUrl,
  openUrl,
  preferencesUrl,
  trackingBase,
  unsubscribeUrl,
} from './tracking-urls.ts'

describe('tracking-urls', () => {
  it('builds the public URLs', () => {
    const base = trackingBase('https://news.example.com/')
    expect(openUrl(base, 'TOKEN')).toBe('https://news.example.com/t/o/TOKEN.gif')
    expect(clickUrl(base, 'TOKEN', 12)).toBe('https://news.example.com/t/c/TOKEN/12')
    expect(browserUrl(base, 'TOKEN')).toBe('https://news.example.com/t/b/TOKEN')
    expect(unsubscribeUrl(base, 'TOKEN')).toBe('https://news.example.com/u/TOKEN')
    expect(preferencesUrl(base, 'TOKEN')).toBe('https://news.example.com/u/TOKEN/preferences')
    expect(doiUrl(base, 'TOKEN')).toBe('https://news.example.com/u/TOKEN/confirm')
  })

  it('accepts only http and https, drops query and trailing slashes, preserves port and path', () => {
    expect(trackingBase('http://localhost:8080//')).toBe('http://localhost:8080')
    expect(trackingBase('https://x.example/emma/?a=1#b')).toBe('https://x.example/emma')
    expect(() => trackingBase('javascript:alert(1)')).toThrow(TypeError)
    expect(() => trackingBase('news.example.com')).toThrow(TypeError)
  })
})
