import { generateKeyPairSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { createVerifier } from './authenticate-mail.ts'
import { openMailboxes } from './mailboxes.ts'
import { deliver, testTestbed } from './test/servers.ts'
import type { ZoneLookup } from './zone.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const privateKey = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const records: Record<string, string> = {
  's1._domainkey.sender.test': `v=DKIM1; k=rsa; p=${publicKey}`,
  '_dmarc.sender.test': 'v=DMARC1; p=reject',
  'bounce.sender.test': 'v=spf1 ip4:127.0.0.1 -all',
}

const lookup: ZoneLookup = async (name, type) => {
  const text = records[name]
  if (text === undefined) return null
  return type === 'TXT' ? [{ type: 'TXT', text }] : []
}

const withOther: ZoneLookup = async (name, type) =>
  name === '_dmarc.other.test' ? [{ type: 'TXT', text: 'v=DMARC1; p=none' }] : lookup(name, type)

const withoutDmarc: ZoneLookup = async (name, type) => (name.startsWith('_dmarc') ? null : lookup(name, type))

const failing: ZoneLookup = async () => {
  throw new Error('database away')
}

/** A message signed by nodemailer, which shares no code with the verifier. */
async function signedMail(): Promise<string> {
  const transport = createTransport({ streamTransport: true, newline: 'windows' })
  const { message } = await transport.sendMail({
    from: 'Shop <news@sender.test>',
    to: 'ok-1@gmail.test',
    subject: 'Grüße',
    text: 'Hello\n.\nworld\n',
    dkim: { domainName: 'sender.test', keySelector: 's1', privateKey },
  })
  if (!('pipe' in message)) throw new Error('no stream')
  return (await buffer(message)).toString('utf8')
}

async function verdictOf(mail: string, from: string, zone: ZoneLookup = lookup) {
  const testbed = await testTestbed({ lookup: zone, reactions: { enabled: false } })
  // The test's client sends octets unchanged, so dots are stuffed here.
  await deliver(testbed, 'ok-1@gmail.test', mail.replace(/\r\n\./g, '\r\n..').replace(/\r\n$/, ''), from)
  const message = await openMailboxes(testbed.folder).getMessage(1)
  if (!message) throw new Error('not kept')
  return message
}

describe('authenticateMail', () => {
  it('passes a message with DKIM, SPF and DMARC', async () => {
    const { verdict, verified, folder } = await verdictOf(await signedMail(), 'b-1@bounce.sender.test')
    expect(verdict).toMatchObject({
      verified: 'pass',
      reason: 'DMARC of sender.test passes.',
      dkim: [{ domain: 'sender.test', selector: 's1', algorithm: 'rsa-sha256', result: 'pass' }],
      spf: { domain: 'bounce.sender.test', result: 'pass' },
      dmarc: { domain: 'sender.test', result: 'pass', policy: 'reject' },
    })
    expect({ verified, folder }).toEqual({ verified: 'pass', folder: 'inbox' })
  })

  it('fails a message changed in transit, and puts it into the spam folder', async () => {
    const tampered = (await signedMail()).replace('Hello', 'Hallo')
    const { verdict, folder } = await verdictOf(tampered, 'b-1@elsewhere.test')
    expect(verdict).toMatchObject({
      verified: 'fail',
      dkim: [{ result: expect.stringMatching(/fail|neutral/) }],
    })
    expect(verdict.reason).toContain('DMARC of sender.test does not pass')
    expect(folder).toBe('spam')
  })

  it('fails a message with another sender in From', async () => {
    const forged = (await signedMail()).replace('news@sender.test', 'news@other.test')
    const { verdict } = await verdictOf(forged, 'b-1@bounce.sender.test', withOther)
    expect(verdict).toMatchObject({ verified: 'fail', dmarc: { result: 'fail' } })
  })

  it('passes with DKIM only if the domain has no DMARC policy, and reports it', async () => {
    const { verdict } = await verdictOf(await signedMail(), 'b-1@elsewhere.test', withoutDmarc)
    expect(verdict).toMatchObject({ verified: 'pass', reason: expect.stringContaining('no DMARC policy') })
  })

  it('fails a message without signature, with a reason', async () => {
    const { verdict } = await verdictOf('From: a@unknown.test\r\n\r\nx', 'b@unknown.test')
    expect(verdict).toMatchObject({ verified: 'fail', reason: expect.stringContaining('no DKIM signature') })
  })

  it('reports nothing about a message when the records cannot be read', async () => {
    const { verdict } = await verdictOf(await signedMail(), 'b-1@bounce.sender.test', failing)
    expect(verdict).toMatchObject({ verified: 'not sampled', reason: 'Not checked: DNS gave no answer.' })
  })
})

describe('createVerifier', () => {
  it('checks every message up to the rate, then the share, and marks the others', async () => {
    const verify = createVerifier(async () => [], { perSecond: 5, fraction: 0.1 })
    const arrival = { sender: 'a@b.test', ip: '127.0.0.1', helo: 'x', host: 'y' }
    const results = await Promise.all(
      Array.from({ length: 105 }, () => verify(Buffer.from('From: a@b.test\r\n\r\nx'), arrival, 1000)),
    )
    const sampled = results.filter(({ verified }) => verified !== 'not sampled')
    expect(sampled.length).toBeGreaterThanOrEqual(14)
    expect(sampled.length).toBeLessThanOrEqual(15)
  })
})
