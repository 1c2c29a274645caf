import { mailFault, type MailFault } from '../mail-fault.ts'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { parseDomain } from '../domain.ts'

export type DkimKeyType = 'rsa' | 'ed25519'

/** A parsed signing key. Parsing PEM costs as much as an RSA signature: cache these objects, not the text. */
export interface DkimKey {
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKey: KeyObject
}

/** Thrown for an unusable DKIM key; the message names the fault for the domain's settings page. */
export class DkimKeyError extends Error {
  override name = 'DkimKeyError'
  readonly fault: MailFault

  constructor(fault: MailFault) {
    super(fault.message)
    this.fault = fault
  }
}

/**
 * Generates a key pair: RSA with 2,048 bits (RFC 8301) or Ed25519 (RFC 8463).
 * @returns the private key as PKCS#8 PEM, and the TXT record for `{selector}._domainkey.{domain}` (longer than 255
 * characters for RSA: a zone file needs several strings)
 */
export function generateDkimKey(type: DkimKeyType): { privatePem: string; publicTxt: string } {
  const { privateKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicTxt: dkimTxt(privateKey),
  }
}

/**
 * Parses a stored key.
 * @throws DkimKeyError for an invalid domain or selector, text that is not a private key, RSA keys under 1,024 bits
 * (which verifiers reject, RFC 8301) and other key types
 */
export function loadDkimKey(source: { domain: string; selector: string; privatePem: string }): DkimKey {
  const domain = parseDomain(source.domain)
  if (!domain.ok) throw new DkimKeyError(mailFault('mail.dkim_domain', { domain: source.domain }))
  const selector = source.selector.toLowerCase()
  if (!SELECTOR.test(selector))
    throw new DkimKeyError(mailFault('mail.dkim_selector', { selector: source.selector }))
  const privateKey = readPrivateKey(source.privatePem)
  const kind = privateKey.asymmetricKeyType
  if (kind === 'ed25519') return { domain: domain.domain, selector, algorithm: 'ed25519-sha256', privateKey }
  if (kind !== 'rsa') throw new DkimKeyError(mailFault('mail.dkim_kind'))
  if ((privateKey.asymmetricKeyDetails?.modulusLength ?? 0) < 1024)
    throw new DkimKeyError(mailFault('mail.dkim_short'))
  return { domain: domain.domain, selector, algorithm: 'rsa-sha256', privateKey }
}

/** Returns the TXT record of a private key's public half (RFC 6376, 3.6.1; RFC 8463, 4). */
export function dkimTxt(privateKey: KeyObject): string {
  const publicKey = createPublicKey(privateKey)
  if (privateKey.asymmetricKeyType === 'ed25519') {
    const { x = '' } = publicKey.export({ format: 'jwk' })
    return `v=DKIM1; k=ed25519; p=${Buffer.from(x, 'base64url').toString('base64')}`
  }
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
}

const SELECTOR = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new DkimKeyError(mailFault('mail.dkim_form'))
  }
}
