import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DkimKeyError, dkimTxt, generateDkimKey, loadDkimKey } from './dkim-key.ts'

describe('generateDkimKey', () => {
  it('generates RSA keys of 2,048 bits and a record with k=rsa', () => {
    const { privatePem, publicTxt } = generateDkimKey('rsa')
    const key = loadDkimKey({ domain: 'Example.COM', selector: 'S1', privatePem })
    expect(key).toMatchObject({ domain: 'example.com', selector: 's1', algorithm: 'rsa-sha256' })
    expect(key.privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect(publicTxt).toMatch(/^v=DKIM1; k=rsa; p=MII[A-Za-z0-9+/]{380,}=*$/)
  })

  it('generates Ed25519 keys with the bare 32 bytes in the record', () => {
    const { privatePem, publicTxt } = generateDkimKey('ed25519')
    expect(loadDkimKey({ domain: 'example.com', selector: 'e', privatePem }).algorithm).toBe('ed25519-sha256')
    expect(Buffer.from(publicTxt.replace('v=DKIM1; k=ed25519; p=', ''), 'base64')).toHaveLength(32)
  })

  it('builds the record of the sample key of RFC 8463', () => {
    const seed = Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64')
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    expect(dkimTxt(key)).toBe('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=')
  })
})

describe('loadDkimKey', () => {
  const { privatePem } = generateDkimKey('ed25519')
  const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  it.each([
    ['an invalid domain', { domain: 'exa mple', selector: 's', privatePem }],
    ['a selector with a line break', { domain: 'example.com', selector: 's\r\nx', privatePem }],
    ['an empty selector', { domain: 'example.com', selector: '', privatePem }],
    ['a text that is not a key', { domain: 'example.com', selector: 's', privatePem: 'secret' }],
    ['an RSA key that is too short', { domain: 'example.com', selector: 's', privatePem: pemOf(weak) }],
    ['a key of another kind', { domain: 'example.com', selector: 's', privatePem: pemOf(foreign) }],
  ])('refuses %s', (_, source) => {
    expect(() => loadDkimKey(source)).toThrow(DkimKeyError)
  })
})

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
