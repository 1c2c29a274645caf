import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateDkimKey, loadDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import { signMail, signMailInPool } from '@emma/mail/dkim/sign-mail.ts'
import { buildMail, mailBytes } from '@emma/mail/mime/build-mail.ts'
import { compileMime } from '@emma/mail/mime/compile-mime.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import * as fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { describe, expect, it } from 'vitest'

/** Verifies signed messages with programs that share no code with the signer. */

const rsa = generateDkimKey('rsa')
const ed25519 = generateDkimKey('ed25519')
const RECORDS: Record<string, string> = {
  'r1._domainkey.example.com': rsa.publicTxt,
  'e1._domainkey.example.com': ed25519.publicTxt,
}
const rsaKey = loadDkimKey({ domain: 'example.com', selector: 'r1', privatePem: rsa.privatePem })
const edKey = loadDkimKey({ domain: 'example.com', selector: 'e1', privatePem: ed25519.privatePem })

const value = (name: string) => (data: MergeData) => {
  const column = data.member[name]
  return typeof column === 'string' ? column : ''
}
const headers = {
  from: { name: 'Müller & Söhne', address: 'news@example.com' },
  listId: { id: 'news.example.com' },
  feedbackId: '17:4:bulk:emma',
  cfblAddress: 'fbl@example.com',
}
const alternatives = compileMime({
  subject: ['Hello ', value('name')],
  html: ['<p>\n   Dear ', value('name'), '\t \n', value('text'), '\n\n\n'],
  text: [value('text'), 'Dear ', value('name')],
  headers,
})
const textOnly = compileMime({ subject: ['Hi'], html: null, text: ['Dear ', value('text')], headers })

function build(compiled: typeof alternatives, member: Record<string, string>) {
  return buildMail(compiled, {
    data: { member, campaign: {}, client: {}, token: 'tok', pageToken: 'tok' },
    to: { name: member.name, address: 'anna@example.net' },
    messageId: 'c17.m4@example.com',
    date: new Date(),
    unsubscribeUrl: 'https://t.example.com/u/tok',
    unsubscribeMailto: 'mailto:u-tok@bounce.example.com',
    cfblFeedbackId: 'tok',
  })
}

async function verdicts(raw: Buffer): Promise<string[]> {
  const { results } = await dkimVerify(raw, {
    resolver: (name: string) => Promise.resolve([[RECORDS[name] ?? '']]),
  })
  return results.map(({ algo, status }) => `${algo} ${status.result}`)
}

describe('a signed message, verified by mailauth', () => {
  it('passes with both signatures, for any values', async () => {
    const awkward = fc.constantFrom(' ', '  ', '\t', '\n', '\r\n\r\n', '.', '\n.\n', '=', 'ü', ' \n', '')
    const text = fc.array(fc.oneof(awkward, fc.string()), { maxLength: 20 }).map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (name, body, hasHtml) => {
        const mail = build(hasHtml ? alternatives : textOnly, { name, text: body })
        const raw = Buffer.concat(mailBytes(mail, signMail(mail, [rsaKey, edKey])))
        expect(await verdicts(raw)).toEqual(['rsa-sha256 pass', 'ed25519-sha256 pass'])
      }),
      { numRuns: 60 },
    )
  })

  it('passes when signed in the thread pool', async () => {
    const mail = build(alternatives, { name: 'Jörg', text: 'Hello' })
    const raw = Buffer.concat(mailBytes(mail, await signMailInPool(mail, [rsaKey, edKey])))
    expect(await verdicts(raw)).toEqual(['rsa-sha256 pass', 'ed25519-sha256 pass'])
  })

  it.each([
    ['a changed word', (raw: string) => raw.replace('Hello', 'Hallo')],
    ['a second From', (raw: string) => `From: evil@example.org\r\n${raw}`],
    ['a second Subject', (raw: string) => `Subject: Won\r\n${raw}`],
    ['another unsubscribe link', (raw: string) => raw.replace('t.example.com/u/tok', 't.example.org/u/tok')],
    ['a changed one-click field', (raw: string) => raw.replace('=One-Click', '=Two-Click')],
    ['another complaint address', (raw: string) => raw.replace('fbl@example.com', 'fbl@example.org')],
  ])('fails after %s', async (_, change) => {
    const mail = build(alternatives, { name: 'Anna', text: 'Hello' })
    const raw = Buffer.concat(mailBytes(mail, signMail(mail, [edKey]))).toString('latin1')
    expect(await verdicts(Buffer.from(change(raw), 'latin1'))).not.toEqual(['ed25519-sha256 pass'])
  })
})

const opendkim = ['opendkim', '/usr/sbin/opendkim'].find(path => spawnSync(path, ['-V']).status === 0)

describe('a signed message, verified by opendkim', () => {
  it.skipIf(opendkim === undefined)('passes (skipped if opendkim is not installed)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'opendkim-'))
    try {
      const keys = Object.entries(RECORDS).map(([name, record]) => `${name} ${record}`)
      writeFileSync(join(folder, 'keys'), `${keys.join('\n')}\n`)
      writeFileSync(join(folder, 'conf'), `Mode v\nTestPublicKeys ${join(folder, 'keys')}\n`)
      for (const key of [rsaKey, edKey]) {
        const mail = build(alternatives, { name: 'Jörg  Käfer', text: 'a \n\n.\nb\t' })
        writeFileSync(join(folder, 'mail'), Buffer.concat(mailBytes(mail, signMail(mail, [key]))))
        const { stdout, stderr } = spawnSync(
          opendkim!,
          ['-x', join(folder, 'conf'), '-t', join(folder, 'mail')],
          { encoding: 'utf8' },
        )
        expect(stdout + stderr).toContain('verification (s=')
        expect(stdout + stderr).toContain('succeeded')
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
