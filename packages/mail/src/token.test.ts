import { createHmac, createSecretKey } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findVerps,
  parseVerp,
  signToken,
  signTokens,
  type Token,
  tokenKey,
  verifyToken,
  verpAddress,
} from './token.ts'

const key = tokenKey('a secret of the installation')
const otherKey = tokenKey('another secret')
const token: Token = {
  kind: 'campaign',
  clientId: 20607,
  campaignId: 9_123_456,
  memberId: 281_474_976_710_655,
}

const anyToken = fc.record({
  kind: fc.constantFrom<Token['kind']>('campaign', 'transactional', 'test', 'doi', 'test_mail'),
  clientId: fc.integer({ min: 0, max: 0xffff_ffff }),
  campaignId: fc.integer({ min: 0, max: 0xffff_ffff }),
  memberId: fc.integer({ min: 0, max: 0xffff_ffff_ffff }),
})

/** Ids of which at least one needs version 2. */
const anyWideToken = fc
  .record({
    kind: fc.constantFrom<Token['kind']>('campaign', 'transactional', 'test', 'doi', 'test_mail'),
    clientId: fc.maxSafeNat(),
    campaignId: fc.maxSafeNat(),
    memberId: fc.maxSafeNat(),
  })
  .filter(any => any.clientId >= 2 ** 32 || any.campaignId >= 2 ** 32 || any.memberId >= 2 ** 48)

describe('signToken and verifyToken', () => {
  it('returns the signed token', () => {
    fc.assert(
      fc.property(anyToken, any => {
        const text = signToken(key, any, 'page')
        expect(text).toMatch(/^[\w-]{34}$/)
        expect(verifyToken(key, text, 'page')).toEqual(any)
      }),
    )
  })

  it('gives back ids that need the wide form, up to the largest safe integer', () => {
    fc.assert(
      fc.property(anyWideToken, any => {
        const text = signToken(key, any, 'page')
        expect(text).toMatch(/^[\w-]{47}$/)
        expect(verifyToken(key, text, 'page')).toEqual(any)
        expect(verifyToken(key, text, 'return')).toBeNull()
      }),
    )
    const most = { ...token, clientId: 2 ** 53 - 1, campaignId: 2 ** 53 - 1, memberId: 2 ** 53 - 1 }
    expect(verifyToken(key, signToken(key, most, 'page'), 'page')).toEqual(most)
    for (const id of [{ clientId: 2 ** 32 }, { campaignId: 2 ** 32 }, { memberId: 2 ** 48 }])
      expect(verifyToken(key, signToken(key, { ...token, ...id }, 'page'), 'page')).toEqual({
        ...token,
        ...id,
      })
  })

  it('reads tokens as they stand in mails sent before there was a wide form', () => {
    const sent = 'AQAAUH8AizaA________vod4L6Q50WR7iA'
    expect(verifyToken(key, sent, 'page')).toEqual(token)
    expect(signToken(key, token, 'page')).toBe(sent)
  })

  it('refuses a signed wide token whose ids are larger than a safe integer, or whose length is another', () => {
    const payload = Buffer.alloc(25)
    payload[0] = 0x81
    payload.writeBigUInt64BE(2n ** 53n, 1)
    const signed = (bytes: Buffer) =>
      Buffer.concat([bytes, createHmac('sha256', key).update(bytes).digest().subarray(0, 10)]).toString(
        'base64url',
      )
    expect(verifyToken(key, signed(payload), 'page')).toBeNull()
    payload.writeBigUInt64BE(2n ** 53n - 1n, 1)
    expect(verifyToken(key, signed(payload), 'page')).toMatchObject({ clientId: 2 ** 53 - 1 })
    expect(verifyToken(key, signed(payload.subarray(0, 15)), 'page')).toBeNull()
    payload[0] = 0x01
    expect(verifyToken(key, signed(payload), 'page')).toBeNull()
  })

  it('accepts a token for its purpose only', () => {
    const { page, tracking, return: returned } = signTokens(key, token)
    const accepts = (text: string) =>
      (['page', 'tracking', 'return'] as const).filter(purpose => verifyToken(key, text, purpose))
    expect(accepts(page)).toEqual(['page', 'tracking'])
    expect(accepts(tracking)).toEqual(['tracking'])
    expect(accepts(returned)).toEqual(['return'])
    expect(parseVerp(key, verpAddress(tracking, 'news.example.com'))).toBeNull()
    expect(parseVerp(key, verpAddress(page, 'news.example.com'))).toBeNull()
    expect(parseVerp(key, verpAddress(tracking, 'news.example.com', 'unsubscribe'))).toBeNull()
    expect(parseVerp(key, verpAddress(returned, 'news.example.com', 'unsubscribe'))).toBeNull()
  })

  it('accepts page tokens of messages sent before tokens had purposes', () => {
    const payload = Buffer.from(signToken(key, token, 'page'), 'base64url').subarray(0, 15)
    const signature = createHmac('sha256', key).update(payload).digest().subarray(0, 10)
    expect(verifyToken(key, Buffer.concat([payload, signature]).toString('base64url'), 'page')).toEqual(token)
  })

  it('rejects every other key', () => {
    expect(verifyToken(otherKey, signToken(key, token, 'page'), 'page')).toBeNull()
    expect(verifyToken(createSecretKey(Buffer.alloc(32)), signToken(key, token, 'page'), 'page')).toBeNull()
  })

  it('rejects a token with any one character changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const text = signToken(key, token, 'page')
    for (let at = 0; at < text.length; at++) {
      for (const character of alphabet) {
        if (character === text[at]) continue
        expect(verifyToken(key, text.slice(0, at) + character + text.slice(at + 1), 'page')).toBeNull()
      }
    }
  })

  it('rejects unsigned input without throwing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.base64String(),
          fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64url')),
        ),
        text => {
          expect(verifyToken(key, text, 'page')).toBeNull()
        },
      ),
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 25, maxLength: 25 }), bytes => {
        expect(verifyToken(key, Buffer.from(bytes).toString('base64url'), 'page')).toBeNull()
      }),
    )
    for (const text of [
      '',
      `${signToken(key, token, 'page')}=`,
      ` ${signToken(key, token, 'page')}`,
      `${signToken(key, token, 'page')}\n`,
      signToken(key, token, 'page').repeat(2),
    ]) {
      expect(verifyToken(key, text, 'page')).toBeNull()
    }
  })

  it('does not sign ids out of range', () => {
    for (const wrong of [-1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(() => signToken(key, { ...token, clientId: wrong }, 'page')).toThrow('clientId')
      expect(() => signToken(key, { ...token, campaignId: wrong }, 'page')).toThrow('campaignId')
    }
    expect(() => signToken(key, { ...token, memberId: 2 ** 53 }, 'page')).toThrow('memberId')
  })
})

describe('verpAddress and parseVerp', () => {
  it('survives case folding, and stays below 64 octets', () => {
    fc.assert(
      fc.property(anyToken, any => {
        const address = verpAddress(signToken(key, any, 'return'), 'bounce.example.com')
        expect(address).toMatch(/^b-[a-z2-7]{40}@bounce\.example\.com$/)
        expect(parseVerp(key, address)).toEqual({ purpose: 'bounce', token: any })
        expect(parseVerp(key, address.toUpperCase())).toEqual({ purpose: 'bounce', token: any })
      }),
    )
  })

  it('carries the wide form in any case, below 64 octets of local part', () => {
    fc.assert(
      fc.property(anyWideToken, any => {
        const address = verpAddress(signToken(key, any, 'return'), 'bounce.example.com')
        expect(address).toMatch(/^b-[a-z2-7]{56}@bounce\.example\.com$/)
        expect(parseVerp(key, address)).toEqual({ purpose: 'bounce', token: any })
        expect(parseVerp(key, address.toUpperCase())).toEqual({ purpose: 'bounce', token: any })
        expect(findVerps(`return-path: <${address}>, <mailto:${address}?subject=x>`)).toEqual([
          address,
          address,
        ])
      }),
    )
  })

  it('distinguishes unsubscribe addresses from bounce addresses', () => {
    const address = verpAddress(signToken(key, token, 'page'), 'news.example.com', 'unsubscribe')
    expect(address.startsWith('u-')).toBe(true)
    expect(parseVerp(key, `<${address}>`)).toEqual({ purpose: 'unsubscribe', token })
  })

  it('rejects other addresses and changed ones', () => {
    const address = verpAddress(signToken(key, token, 'return'), 'bounce.example.com')
    for (let at = 2; at < 42; at++) {
      const changed = address.slice(0, at) + (address[at] === 'a' ? 'b' : 'a') + address.slice(at + 1)
      expect(parseVerp(key, changed)).toBeNull()
    }
    for (const other of ['', 'info@example.com', 'b-@x', `${address} x`, `x${address}`, `${address}@evil`]) {
      expect(parseVerp(key, other)).toBeNull()
    }
    expect(parseVerp(otherKey, address)).toBeNull()
  })
})
