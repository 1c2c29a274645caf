import { createHash, hash, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { BuiltMail } from '../mime/build-mail.ts'
import { type HeaderField, headerField } from '../mime/header.ts'
import type { DkimKey } from './dkim-key.ts'

/**
 * Signs a message with each key (RFC 6376, relaxed/relaxed; RFC 8463 for Ed25519) on the calling thread.
 * @returns the DKIM-Signature fields to prepend, in the order of the keys
 */
export function signMail(mail: BuiltMail, keys: readonly DkimKey[], now = new Date()): HeaderField[] {
  const bodyHash = hashBody(mail)
  return keys.map(key => {
    const draft = draftSignature(mail, key, bodyHash, now)
    return finishSignature(draft.value, sign(digestOf(key), draft.input, key.privateKey))
  })
}

/**
 * Same as `signMail`, on the libuv thread pool: RSA signatures cost ten times the rest of a message and can use all
 * cores.
 */
export async function signMailInPool(
  mail: BuiltMail,
  keys: readonly DkimKey[],
  now = new Date(),
): Promise<HeaderField[]> {
  const bodyHash = hashBody(mail)
  return Promise.all(
    keys.map(async key => {
      const draft = draftSignature(mail, key, bodyHash, now)
      // An Ed25519 signature is cheaper than the round trip to the pool.
      if (key.algorithm === 'ed25519-sha256')
        return finishSignature(draft.value, sign(null, draft.input, key.privateKey))
      return finishSignature(draft.value, await signInPool('sha256', draft.input, key.privateKey))
    }),
  )
}

const signInPool = promisify(sign)

function hashBody({ body, attachments }: BuiltMail): string {
  if (attachments === null) return hash('sha256', body, 'base64')
  return createHash('sha256').update(body).update(attachments).digest('base64')
}

/**
 * Fields that are signed if present: those of RFC 6376, 5.4.1, those that RFC 8058 and RFC 9477 require, and the MIME
 * fields that decide how the body is read.
 */
const SIGNED = new Set(
  `from reply-to to subject date message-id mime-version content-type content-transfer-encoding list-id
  list-unsubscribe list-unsubscribe-post feedback-id cfbl-address cfbl-feedback-id auto-submitted precedence`.split(
    /\s+/,
  ),
)

/**
 * Signed once more than they occur, so that adding another one breaks the signature (RFC 6376, 8.15): a replayed
 * message cannot change what readers see, its recipient, or the unsubscribe address.
 */
const OVERSIGNED =
  `from to cc subject date reply-to message-id content-type content-transfer-encoding mime-version list-unsubscribe
  list-unsubscribe-post`.split(/\s+/)

interface Draft {
  /** DKIM-Signature value up to and including `b=`. */
  value: string
  /** The bytes to sign. */
  input: Buffer
}

function draftSignature(mail: BuiltMail, key: DkimKey, bodyHash: string, now: Date): Draft {
  const names: string[] = []
  let header = ''
  for (const field of mail.fields) {
    const end = field.relaxed.indexOf(':')
    const name = field.relaxed.slice(0, end)
    if (!SIGNED.has(name)) continue
    names.push(name)
    header += `${field.relaxed}\r\n`
  }
  const value =
    `v=1; a=${key.algorithm}; c=relaxed/relaxed; d=${key.domain}; s=${key.selector}; ` +
    `t=${Math.floor(now.getTime() / 1000)}; h=${foldable([...names, ...OVERSIGNED])}; bh=${bodyHash}; b=`
  const text = `${header}dkim-signature:${value}`
  if (key.algorithm === 'rsa-sha256') return { value, input: Buffer.from(text) }
  return { value, input: hash('sha256', text, 'buffer') }
}

/** Ed25519 signs the hash directly (RFC 8463, 3); RSA signing hashes. */
function digestOf(key: DkimKey): 'sha256' | null {
  return key.algorithm === 'rsa-sha256' ? 'sha256' : null
}

function finishSignature(value: string, signature: Buffer): HeaderField {
  const lines = signature.toString('base64').match(/.{1,72}/g) ?? []
  return headerField('DKIM-Signature', value + lines.join(' '))
}

/** Joins names with colons, and allows a line break about every 60 characters. */
function foldable(names: readonly string[]): string {
  let list = ''
  let column = 0
  for (const name of names) {
    if (list !== '') list += ':'
    if (column + name.length > 60) {
      list += ' '
      column = 0
    }
    list += name
    column += name.length + 1
  }
  return list
}
