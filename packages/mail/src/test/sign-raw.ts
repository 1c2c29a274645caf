import { createSign, hash } from 'node:crypto'
import { generateDkimKey } from '../dkim/dkim-key.ts'

/** A signing domain with its DNS record. */
export interface TestSigner {
  domain: string
  privatePem: string
  /** TXT record of `s1._domainkey.DOMAIN`. */
  record: string
}

export function testSigner(domain: string): TestSigner {
  const { privatePem, publicTxt } = generateDkimKey('rsa')
  return { domain, privatePem, record: publicTxt }
}

/** DNS with the keys of these signers only. */
export function testKeys(...signers: readonly TestSigner[]): (name: string) => Promise<string[]> {
  const records = new Map(signers.map(({ domain, record }) => [`s1._domainkey.${domain}`, record]))
  return name => {
    const record = records.get(name)
    return record === undefined
      ? Promise.reject(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }))
      : Promise.resolve([record])
  }
}

interface Signing {
  /** Fields in `h=`. */
  fields?: readonly string[]
  /** Number of signed body bytes (`l=`). */
  length?: number
}

const FIELDS = ['from', 'to', 'subject', 'date', 'mime-version', 'content-type']

/** Signs a message (RFC 6376, relaxed/relaxed), also in invalid ways. */
export function signRaw(raw: Buffer, signer: TestSigner, { fields = FIELDS, length }: Signing = {}): Buffer {
  const text = raw.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const body = relaxBody(text.slice(end + 4)).slice(0, length)
  const lines = new Map(
    head.split('\r\n').map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), relax(line.slice(at + 1))] as const
    }),
  )
  const signed = fields.filter(name => lines.has(name))
  const value = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${signer.domain}; s=s1;${
    length === undefined ? '' : ` l=${length};`
  } h=${signed.join(':')}; bh=${hash('sha256', Buffer.from(body, 'latin1'), 'base64')}; b=`
  const input = signed.map(name => `${name}:${lines.get(name)}\r\n`).join('')
  const signature = createSign('sha256')
    .update(`${input}dkim-signature:${value}`, 'latin1')
    .sign(signer.privatePem, 'base64')
  return Buffer.concat([Buffer.from(`DKIM-Signature: ${value}${signature}\r\n`), raw])
}

function relax(value: string): string {
  return value.replaceAll(/[ \t]+/g, ' ').trim()
}

function relaxBody(body: string): string {
  const lines = body.split('\r\n').map(line => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.map(line => `${line}\r\n`).join('')
}
