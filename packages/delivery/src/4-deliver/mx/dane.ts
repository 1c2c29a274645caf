import { createHash, type X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { TlsaData } from 'dns-packet'
import type { DnsClient } from './dns-client.ts'

/**
 * DANE requirement for a mail exchanger. `tls`: there are TLSA records, but none is usable: TLS is required, with any
 * certificate.
 */
export type DaneDemand = { kind: 'none' } | { kind: 'tls' } | { kind: 'match'; records: readonly TlsaData[] }

/**
 * Looks up the TLSA records of a mail exchanger (RFC 7672, 2.2). Only DNSSEC-validated answers count; the caller has
 * checked that the host name itself was found securely.
 * @throws DnsFault if DNS fails: then the host must not be used (RFC 7672, 2.1)
 */
export async function findDane(dns: DnsClient, host: string, port: number): Promise<DaneDemand> {
  const { answers, isSecure } = await dns.ask(`_${port}._tcp.${host}`, 'TLSA')
  const all = answers.flatMap(answer => (answer.type === 'TLSA' ? [answer.data] : []))
  if (!isSecure || all.length === 0) return { kind: 'none' }
  const records = all.filter(isUsable)
  return records.length === 0 ? { kind: 'tls' } : { kind: 'match', records }
}

const CA = 2
const LEAF = 3

/** Usages 0 and 1 rely on public CAs, which SMTP does not (RFC 7672, 3.1.3). */
function isUsable({ usage, selector, matchingType }: TlsaData): boolean {
  return (usage === CA || usage === LEAF) && selector <= 1 && matchingType <= 2
}

/**
 * Compares a peer certificate with TLSA records; returns the fault, or null.
 *
 * Usage 3 is the server's own certificate: names and dates are ignored (RFC 7672, 3.1.1). Usage 2 is a CA certificate
 * in the chain: signatures, dates and name must be valid (3.1.2).
 * @param names the exchanger and the domain it was found for
 */
export function checkDane(
  socket: TLSSocket,
  records: readonly TlsaData[],
  names: readonly string[],
  now = new Date(),
): string | null {
  const leaf = socket.getPeerX509Certificate()
  if (!leaf) return 'The server showed no certificate.'
  const isLeaf = records.some(record => record.usage === LEAF && matches(record, leaf))
  if (isLeaf) return null
  const authorities = records.filter(({ usage }) => usage === CA)
  const chain = chainOf(leaf)
  const anchor = chain.findIndex(
    (certificate, index) => index > 0 && authorities.some(record => matches(record, certificate)),
  )
  if (anchor < 0) return 'The certificate of the server is not the one its TLSA record names.'
  const used = chain.slice(0, anchor + 1)
  if (used.some(certificate => now < new Date(certificate.validFrom) || now > new Date(certificate.validTo)))
    return 'The certificate of the server has expired.'
  if (!names.some(name => leaf.checkHost(name) !== undefined))
    return 'The certificate of the server is for another name.'
  return null
}

/** The certificate and its issuers, as sent by the server; ends at an invalid signature. */
function chainOf(leaf: X509Certificate): X509Certificate[] {
  const chain = [leaf]
  for (let current = leaf; chain.length < 10; ) {
    const issuer = current.issuerCertificate
    if (!issuer || issuer.fingerprint256 === current.fingerprint256 || !issuer.ca) return chain
    if (!current.checkIssued(issuer) || !current.verify(issuer.publicKey)) return chain
    chain.push(issuer)
    current = issuer
  }
  return chain
}

function matches(
  { selector, matchingType, certificate: wanted }: TlsaData,
  certificate: X509Certificate,
): boolean {
  const shown =
    selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' })
  if (matchingType === 0) return wanted.equals(shown)
  return wanted.equals(
    createHash(matchingType === 1 ? 'sha256' : 'sha512')
      .update(shown)
      .digest(),
  )
}
