import { describe, expect, it } from 'vitest'
import { isAligned } from './sender-rule.ts'

describe('sender addresses of a domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['news.example.com', 'example.com'],
    ['a.news.example.co.uk', 'news.example.co.uk'],
    ['sender.test', 'sender.test'],
  ])('%s belongs to %s', (host, domain) => expect(isAligned(host, domain)).toBe(true))

  it.each([
    ['example.org', 'example.com'],
    ['badexample.com', 'example.com'],
    ['example.com', 'news.example.com'],
    ['victim.co.uk', 'co.uk'],
    ['victim.github.io', 'github.io'],
  ])('%s does not belong to %s', (host, domain) => expect(isAligned(host, domain)).toBe(false))
})
