import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/** Encrypts a secret for storage (AES-256-GCM): nonce, tag, ciphertext. `key`: 32 bytes of the installation's secret. */
export function sealSecret(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts a stored secret. Throws when the key differs or a byte was changed. */
export function openSecret(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength))
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength))
  const text = Buffer.concat([decipher.update(sealed.subarray(nonceLength + tagLength)), decipher.final()])
  return text.toString('utf8')
}
