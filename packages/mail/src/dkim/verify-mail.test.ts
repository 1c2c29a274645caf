import { describe, expect, it } from 'vitest'
import { complaintReport } from '../test/complaint-report.ts'
import { signRaw, testKeys, testSigner } from '../test/sign-raw.ts'
import { claimedSignatures, verifyMail } from './verify-mail.ts'

const loop = testSigner('loop.example')
const other = testSigner('other.example')
const resolveTxt = testKeys(loop, other)
const trusted = ['loop.example']

const report = complaintReport()
const verify = (raw: Buffer, domains: readonly string[] = trusted) => verifyMail(raw, domains, resolveTxt)
const changed = (raw: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(raw.toString('latin1').replace(from, to), 'latin1')

describe('verifyMail', () => {
  it('returns the trusted domain whose signature passes', async () => {
    expect(await verify(signRaw(report, loop))).toEqual(['loop.example'])
    expect(await verify(signRaw(signRaw(report, loop), other))).toEqual(['loop.example'])
    expect(await verify(signRaw(signRaw(report, other), loop), ['x.example', 'loop.example'])).toEqual([
      'loop.example',
    ])
  })

  it.each([
    ['no signature', report],
    ['another domain', signRaw(report, other)],
    ['a partly signed body (l=)', signRaw(report, loop, { length: 20 })],
    ['a fully signed body with a length (l=)', signRaw(report, loop, { length: 1_000_000 })],
    ['From unsigned', signRaw(report, loop, { fields: ['to', 'subject', 'content-type'] })],
    ['Content-Type unsigned', signRaw(report, loop, { fields: ['from', 'to', 'subject'] })],
    ['a changed body', changed(signRaw(report, loop), 'Version: 1', 'Version: 2')],
    ['a changed From', changed(signRaw(report, loop), 'feedback@', 'somebody@')],
    ['a second From', Buffer.concat([Buffer.from('From: x@loop.example\r\n'), signRaw(report, loop)])],
    [
      'a second Content-Type',
      Buffer.concat([Buffer.from('Content-Type: text/plain\r\n'), signRaw(report, loop)]),
    ],
    ['a bare line feed in the header', changed(signRaw(report, loop), '\r\nSubject', '\nSubject')],
    ['a first line that is not a field', Buffer.concat([Buffer.from('>From x\r\n'), signRaw(report, loop)])],
    ['From of another organization', signRaw(complaintReport({ from: 'a@victim.example' }), loop)],
    ["another domain's key", signRaw(report, { ...other, domain: 'loop.example' })],
    ['no end of the header', Buffer.from('DKIM-Signature: d=loop.example')],
  ])('returns nothing for a message with %s', async (_, raw) => {
    expect(await verify(raw)).toEqual([])
  })

  it('returns nothing if DNS fails or the key is in testing mode', async () => {
    const signed = signRaw(report, loop)
    expect(await verifyMail(signed, trusted, () => Promise.reject(new Error('no answer')))).toEqual([])
    expect(await verifyMail(signed, trusted, () => Promise.resolve([]))).toEqual([])
    const testing = () => Promise.resolve([loop.record.replace('k=rsa;', 'k=rsa; t=y;')])
    expect(await verifyMail(signed, trusted, testing)).toEqual([])
  })

  it('accepts a From address in a subdomain of the signing domain', async () => {
    const below = complaintReport({ from: 'feedback@mail.loop.example' })
    expect(await verify(signRaw(below, loop))).toEqual(['loop.example'])
  })
})

describe('claimedSignatures', () => {
  it('looks up the keys of trusted domains only, of at most three signatures', () => {
    let raw = signRaw(report, other)
    expect(claimedSignatures(raw, trusted)).toEqual([])
    for (let count = 0; count < 5; count++) raw = signRaw(raw, loop)
    const claimed = { domain: 'loop.example', keyName: 's1._domainkey.loop.example' }
    expect(claimedSignatures(raw, trusted)).toEqual([claimed, claimed, claimed])
  })
})
