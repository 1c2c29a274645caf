import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * The token a mail carries in its links, its open pixel, its return path and its unsubscribe address: who sent what
 * to whom, signed for a purpose. Version 1 has 25 bytes: kind u8, client u32, campaign u32, member u48 (big endian),
 * and 10 bytes of HMAC-SHA256 over those 15, other ones for each purpose. Version 2, for ids that do not fit, has 35: the
 * kind with its highest bit set, three u64, and the signature over those 25. 80 bits of signature cannot be guessed over
 * HTTP or SMTP and keep the return path short; the link's index stands beside the token in clear (one HMAC a mail, not
 * one a link).
 */
export interface Token {
  kind: TokenKind
  /** 0 … 2^53 − 1 */
  clientId: number
  /** 0 … 2^53 − 1: campaign, or the transactional or process mail for those kinds; the test for `test_mail`. */
  campaignId: number
  /** 0 … 2^53 − 1: member, or the test address for kind `test`, the email of the test for `test_mail`. */
  memberId: number
}

/**
 * Only `doi` may confirm a subscription; a `test` token never changes a member. `test_mail` is signed for `tracking` alone:
 * its opens and clicks count for the test.
 */
export type TokenKind = keyof typeof kindNumbers

const kindNumbers = { campaign: 1, transactional: 2, test: 3, doi: 4, test_mail: 5 } as const
const kindNames = new Map<number, TokenKind>([
  [kindNumbers.campaign, 'campaign'],
  [kindNumbers.transactional, 'transactional'],
  [kindNumbers.test, 'test'],
  [kindNumbers.doi, 'doi'],
  [kindNumbers.test_mail, 'test_mail'],
])

/**
 * Purpose of a token. `page`: unsubscribe, preferences, browser view, and the address for unsubscribe messages.
 * Tokens from before purposes existed have this form, so their links keep working. `tracking`: open pixel and tracked
 * links; `page` tokens are accepted too, as they allow more. `return`: return path (VERP), Message-ID,
 * CFBL-Feedback-ID, reference at an ESP.
 */
export type TokenPurpose = 'page' | 'tracking' | 'return'

/** Offset of a purpose's 10 bytes in the 32 of the HMAC. */
export const signatureOffsets: Record<TokenPurpose, number> = { page: 0, tracking: 10, return: 20 }

/** Bit of the first byte that marks version 2. */
const version2 = 0x80

/** Bytes of the signature at the end of a token. */
export const signatureBytes = 10

/** Bytes of a token by version, with the signature. */
export const tokenBytes = { 1: 25, 2: 35 } as const

const maxUint32 = 0xffff_ffff
const maxUint48 = 0xffff_ffff_ffff

/**
 * Derives the signing key from the installation's secret. A KeyObject halves the cost of each HMAC; HKDF separates it
 * from other keys derived from the same secret.
 */
export function tokenKey(secret: string | Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'emma mail token v1', 32)))
}

/**
 * Signs a token for one purpose; the text is 34 characters of base64url, or 47 where an id needs version 2.
 * @throws RangeError when an id is not a whole number in its range: such a row must not be mailed.
 */
export function signToken(key: KeyObject, token: Token, purpose: TokenPurpose): string {
  return signTokens(key, token)[purpose]
}

/** Signs a token for all purposes with one HMAC. Throws like `signToken`. */
export function signTokens(key: KeyObject, token: Token): Record<TokenPurpose, string> {
  const bytes = encode(token)
  const digest = signature(key, bytes)
  const signed = (purpose: TokenPurpose) => {
    const offset = signatureOffsets[purpose]
    digest.copy(bytes, bytes.length - signatureBytes, offset, offset + signatureBytes)
    return bytes.toString('base64url')
  }
  return { page: signed('page'), tracking: signed('tracking'), return: signed('return') }
}

/** Encodes a token with space for its signature, in version 1 if the ids fit. */
function encode({ kind, clientId, campaignId, memberId }: Token): Buffer {
  for (const [name, id] of Object.entries({ clientId, campaignId, memberId }))
    if (!Number.isSafeInteger(id) || id < 0) throw new RangeError(`${name} ${id} does not fit a token`)
  if (clientId > maxUint32 || campaignId > maxUint32 || memberId > maxUint48) {
    const bytes = Buffer.allocUnsafe(tokenBytes[2])
    bytes[0] = kindNumbers[kind] | version2
    bytes.writeBigUInt64BE(BigInt(clientId), 1)
    bytes.writeBigUInt64BE(BigInt(campaignId), 9)
    bytes.writeBigUInt64BE(BigInt(memberId), 17)
    return bytes
  }
  const bytes = Buffer.allocUnsafe(tokenBytes[1])
  bytes[0] = kindNumbers[kind]
  bytes.writeUInt32BE(clientId, 1)
  bytes.writeUInt32BE(campaignId, 5)
  bytes.writeUIntBE(memberId, 9, 6)
  return bytes
}

/** Verifies a token from a URL; null unless this key signed it for the purpose, in exactly this spelling. */
export function verifyToken(key: KeyObject, text: string, purpose: TokenPurpose): Token | null {
  if (!/^(?:[\w-]{34}|[\w-]{47})$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  // The last character has spare bits; a second spelling of the same token would be a second cache and log key.
  if (bytes.toString('base64url') !== text) return null
  return verifyBytes(key, bytes, purpose)
}

/** Purpose of an address with a token: return path (receives bounces), or the mailto: of List-Unsubscribe. */
export type AddressPurpose = 'bounce' | 'unsubscribe'

export interface AddressToken {
  purpose: AddressPurpose
  token: Token
}

const addressTokens: Record<AddressPurpose, TokenPurpose> = { bounce: 'return', unsubscribe: 'page' }

const addressPrefix: Record<AddressPurpose, string> = { bounce: 'b-', unsubscribe: 'u-' }

/**
 * The address that carries a mail's token: `b-{base32}@host` as return path (VERP), `u-{base32}@host` for
 * unsubscribe mails. Lower-case base32 because mail hosts may fold the case of a local part; 42 octets (58 in version 2),
 * below the 64 of RFC 5321 section 4.5.3.1.1.
 * @param token signed for `return` in a bounce address, for `page` in an unsubscribe address
 */
export function verpAddress(token: string, host: string, purpose: AddressPurpose = 'bounce'): string {
  return `${addressPrefix[purpose]}${toBase32(Buffer.from(token, 'base64url'))}@${host}`
}

/**
 * Verifies the token of a return path or unsubscribe address (any case, with or without angle brackets); null for any
 * other address and for tokens this key did not sign for it. The caller checks the host.
 */
export function parseVerp(key: KeyObject, address: string): AddressToken | null {
  const match = wholeVerp.exec(address)
  if (!match?.[1] || !match[2]) return null
  const purpose = match[1].toLowerCase() === 'b' ? 'bounce' : 'unsubscribe'
  const token = verifyBytes(key, fromBase32(match[2].toLowerCase()), addressTokens[purpose])
  return token && { purpose, token }
}

/** Finds strings in foreign text that look like VERP addresses; `parseVerp` verifies each. */
export function findVerps(text: string): string[] {
  return text.match(anyVerp) ?? []
}

const verpStart = '([bu])-([a-z2-7]{56}|[a-z2-7]{40})@'
const wholeVerp = new RegExp(`^<?${verpStart}[^@\\s]+$`, 'i')
const anyVerp = new RegExp(`${verpStart}[^\\s>,?]+`, 'gi')

function verifyBytes(key: KeyObject, bytes: Buffer, purpose: TokenPurpose): Token | null {
  if (bytes.length !== ((bytes[0] ?? 0) & version2 ? tokenBytes[2] : tokenBytes[1])) return null
  const digest = signature(key, bytes)
  const isSignedFor = (signed: TokenPurpose) => {
    const offset = signatureOffsets[signed]
    return timingSafeEqual(digest.subarray(offset, offset + signatureBytes), bytes.subarray(-signatureBytes))
  }
  const isSigned = isSignedFor(purpose) || (purpose === 'tracking' && isSignedFor('page'))
  return isSigned ? tokenFrom(bytes) : null
}

/** Decodes the bytes of a token with a verified signature; null for an unknown kind or an id above 2^53 − 1. */
export function tokenFrom(bytes: Buffer): Token | null {
  const first = bytes.readUInt8(0)
  const kind = kindNames.get(first & ~version2)
  if (!kind) return null
  if (first & version2) {
    const id = (at: number) => Number(bytes.readBigUInt64BE(at))
    const token = { kind, clientId: id(1), campaignId: id(9), memberId: id(17) }
    const { clientId, campaignId, memberId } = token
    return [clientId, campaignId, memberId].every(Number.isSafeInteger) ? token : null
  }
  return {
    kind,
    clientId: bytes.readUInt32BE(1),
    campaignId: bytes.readUInt32BE(5),
    memberId: bytes.readUIntBE(9, 6),
  }
}

function signature(key: KeyObject, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes.subarray(0, -signatureBytes)).digest()
}

// RFC 4648 base32 in lower case. 25 bytes are exactly 40 characters, 35 are 56: no padding, one spelling.
const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

function toBase32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held & 0xff) << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += base32[(held >> bits) & 31]
    }
  }
  return text
}

function fromBase32(text: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8))
  let at = 0
  let bits = 0
  let held = 0
  for (const character of text) {
    held = ((held & 0xff) << 5) | base32.indexOf(character)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 0xff
  }
  return bytes
}
