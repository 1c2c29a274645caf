import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signToken, signTokens, type Token, tokenKey, verifyToken } from './token.ts'
import { createTokenReader } from './token-reader.ts'

const key = tokenKey('a secret of the installation')
const read = createTokenReader(key)

const anyToken = fc.record({
  kind: fc.constantFrom<Token['kind']>('campaign', 'transactional', 'test', 'doi'),
  clientId: fc.integer({ min: 0, max: 0xffff_ffff }),
  campaignId: fc.integer({ min: 0, max: 0xffff_ffff }),
  memberId: fc.integer({ min: 0, max: 0xffff_ffff_ffff }),
})

describe('createTokenReader', () => {
  it('reads what was signed, wherever it stands', () => {
    fc.assert(
      fc.property(anyToken, fc.string(), fc.string(), (token, before, after) => {
        expect(read(`${before}${signToken(key, token, 'tracking')}${after}`, before.length)).toEqual(token)
      }),
    )
  })

  it('accepts page tokens, and no return path', () => {
    const tokens = signTokens(key, { kind: 'campaign', clientId: 7, campaignId: 8, memberId: 9 })
    expect(read(tokens.page, 0)).toMatchObject({ memberId: 9 })
    expect(read(tokens.return, 0)).toBeNull()
  })

  it('refuses another key, and every change of one character', () => {
    const text = signToken(key, { kind: 'campaign', clientId: 7, campaignId: 8, memberId: 9 }, 'tracking')
    expect(createTokenReader(tokenKey('another secret'))(text, 0)).toBeNull()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.\u0141'
    for (let at = 0; at < text.length; at++)
      for (const character of alphabet)
        if (character !== text[at])
          expect(read(text.slice(0, at) + character + text.slice(at + 1), 0)).toBeNull()
  })

  it('agrees with verifyToken on anything', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ minLength: 34, maxLength: 34, unit: 'binary' })),
        text => {
          expect(read(text, 0)).toEqual(verifyToken(key, text, 'tracking'))
        },
      ),
    )
  })
})
