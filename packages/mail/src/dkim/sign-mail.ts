import { hash, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { BuiltMail } from '../mime/build-mail.ts'
import { type HeaderField, headerField } from '../mime/header.ts'
import type { DkimKey } from './dkim-key.ts'

/**
 * Signs a mail with each key (RFC 6376, relaxed/relaxed; RFC 8463 for Ed25519) on the calling thread.
 * @returns the DKIM-Signature fields to put before the mail's own, in the order of the keys.
 */
export function signMail(mail: BuiltMail, keys: readonly DkimKey[], now = new Date()): HeaderField[] {
  const bodyHash = hash('sha256', mail.body, 'base64')
  return keys.map(key => {
    const draft = draftSignature(mail, key, bodyHash, now)
    return finishSignature(draft.value, sign(digestOf(key), draft.input, key.privateKey))
  })
}

/**
 * The same on the thread pool: RSA signatures, which cost ten times everything else in a mail, then use all cores.
 */
export async function signMailInPool(
  mail: BuiltMail,
  keys: readonly DkimKey[],
  now = new Date(),
): Promise<HeaderField[]> {
  const bodyHash = hash('sha256', mail.body, 'base64')
  return Promise.all(
    keys.map(async key => {
      const draft = draftSignature(mail, key, bodyHash, now)
      // An Ed25519 signature is cheaper than the way to the pool and back.
      if (key.algorithm === 'ed25519-sha256')
        return finishSignature(draft.value, sign(null, draft.input, key.privateKey))
      return finishSignature(draft.value, await signInPool('sha256', draft.input, key.privateKey))
    }),
  )
}

const signInPool = promisify(sign)

/**
 * The fields that are signed where a mail has them: what RFC 6376, 5.4.1 names, what RFC 8058 and RFC 9477 demand, and
 * the MIME fields that decide how the body is read.
 */
const SIGNED = new Set(
  `from reply-to to subject date message-id mime-version content-type content-transfer-encoding list-id
  list-unsubscribe list-unsubscribe-post feedback-id cfbl-address cfbl-feedback-id auto-submitted precedence`.split(
    /\s+/,
  ),
)

/**
 * Signed once more than they occur, so that another one added on the way breaks the signature (RFC 6376, 8.15): who sends a
 * mail of ours once more to others must not change what readers see, whom it was to, or where unsubscribing leads.
 */
const OVERSIGNED =
  `from to cc subject date reply-to message-id content-type content-transfer-encoding mime-version list-unsubscribe
  list-unsubscribe-post`.split(/\s+/)

interface Draft {
  /** The DKIM-Signature value up to and with `b=`. */
  value: string
  /** What the key signs. */
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

/** Ed25519 signs the hash itself (RFC 8463, 3); RSA hashes as a part of signing. */
function digestOf(key: DkimKey): 'sha256' | null {
  return key.algorithm === 'rsa-sha256' ? 'sha256' : null
}

function finishSignature(value: string, signature: Buffer): HeaderField {
  const lines = signature.toString('base64').match(/.{1,72}/g) ?? []
  return headerField('DKIM-Signature', value + lines.join(' '))
}

/** Joins names with colons and lets the list break after one about every 60 characters. */
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
