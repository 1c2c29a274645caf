import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signToken, signTokens, type Token, tokenKey, verifyToken } from './token.ts'
import { createTokenReader } from './token-reader.ts'

const key = tokenKey('a secret of the installation')
const read = createTokenReader(key)

const anyToken = fc.record({
  kind: fc.constantFrom<Token['kind']>('campaign', 'transactional', 'test', 'doi', 'test_mail'),
  clientId: fc.oneof(fc.nat(), fc.maxSafeNat()),
  campaignId: fc.oneof(fc.nat(), fc.maxSafeNat()),
  memberId: fc.oneof(fc.nat(), fc.maxSafeNat()),
})

describe('createTokenReader', () => {
  it('verifies signed tokens at any offset', () => {
    fc.assert(
      fc.property(anyToken, fc.string(), fc.string(), (token, before, after) => {
        expect(read(`${before}${signToken(key, token, 'tracking')}${after}`, before.length)).toEqual(token)
      }),
    )
  })

  it('accepts page tokens, but not return paths', () => {
    const tokens = signTokens(key, { kind: 'campaign', clientId: 7, campaignId: 8, memberId: 9 })
    expect(read(tokens.page, 0)).toMatchObject({ memberId: 9 })
    expect(read(tokens.return, 0)).toBeNull()
  })

  it('rejects another key, and every change of one character', () => {
    const text = signToken(key, { kind: 'campaign', clientId: 7, campaignId: 8, memberId: 9 }, 'tracking')
    expect(createTokenReader(tokenKey('another secret'))(text, 0)).toBeNull()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.\u0141'
    for (let at = 0; at < text.length; at++)
      for (const character of alphabet)
        if (character !== text[at])
          expect(read(text.slice(0, at) + character + text.slice(at + 1), 0)).toBeNull()
  })

  it('agrees with verifyToken on any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ minLength: 34, maxLength: 34, unit: 'binary' }),
          fc
            .uint8Array({ minLength: 25, maxLength: 35 })
            .map(bytes => Buffer.from(bytes).toString('base64url')),
          anyToken.map(token => signToken(key, token, 'page')),
        ),
        text => {
          expect(read(text, 0)).toEqual(verifyToken(key, text, 'tracking'))
        },
      ),
    )
  })
})
