import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A private key and its certificate, both PEM. */
export interface Certificate {
  key: string
  cert: string
}

/**
 * Creates a self-signed certificate (X.509 v3, ECDSA P-256, valid from yesterday for ten years) for the given host
 * names, for opportunistic TLS without verification. Minimal RFC 5280, encoded in DER here because node cannot create
 * certificates.
 */
export function createSelfSignedCertificate(hosts: readonly string[], now = new Date()): Certificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(COMMON_NAME), utf8(hosts[0] ?? 'localhost'))))
  const algorithm = sequence(oid(ECDSA_WITH_SHA256))
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serialNumber()),
    algorithm,
    name,
    sequence(validityTime(shift(now, -1)), validityTime(shift(now, 3650))),
    name,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(alternativeNames(hosts))),
  )
  const signature = sign('sha256', toBeSigned, pair.privateKey)
  const certificate = sequence(toBeSigned, algorithm, bitString(signature))
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(certificate),
  }
}

const COMMON_NAME = Buffer.of(0x55, 0x04, 0x03)
const SUBJECT_ALT_NAME = Buffer.of(0x55, 0x1d, 0x11)
const ECDSA_WITH_SHA256 = Buffer.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map(host => encode(0x82, Buffer.from(host, 'ascii')))
  return sequence(oid(SUBJECT_ALT_NAME), encode(0x04, sequence(...names)))
}

/** Sixteen random octets; the first bit is cleared because serial numbers are positive (RFC 5280, 4.1.2.2). */
function serialNumber(): Buffer {
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

function shift(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000)
}

/** Tag, length in its shortest form, content (X.690, 8.1). */
function encode(tag: number, content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content])
  const digits: number[] = []
  for (let rest = content.length; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff)
  return Buffer.concat([Buffer.of(tag, 0x80 | digits.length, ...digits), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return encode(0x30, Buffer.concat(parts))
}

function set(...parts: Buffer[]): Buffer {
  return encode(0x31, Buffer.concat(parts))
}

function explicit(number: number, content: Buffer): Buffer {
  return encode(0xa0 | number, content)
}

function integer(content: Buffer): Buffer {
  return encode(0x02, content)
}

function oid(content: Buffer): Buffer {
  return encode(0x06, content)
}

function utf8(text: string): Buffer {
  return encode(0x0c, Buffer.from(text, 'utf8'))
}

function bitString(content: Buffer): Buffer {
  return encode(0x03, Buffer.concat([Buffer.of(0), content]))
}

/** UTCTime up to 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
function validityTime(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  if (date.getUTCFullYear() >= 2050) return encode(0x18, Buffer.from(digits, 'ascii'))
  return encode(0x17, Buffer.from(digits.slice(2), 'ascii'))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
