import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

/** The TXT records of a name, the strings of each joined; rejects where DNS gives no answer. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>

/** A signature that a mail claims to have: nothing of it is verified. */
export interface ClaimedSignature {
  /** `d=`, lower case. */
  domain: string
  /** Where its key is published. */
  keyName: string
}

/** Bytes and fields of a head that is looked at; mails from mailbox providers have some 5 KB. */
const MAX_HEAD = 64 * 1024
const MAX_FIELDS = 500

/** Of one mail; each takes a look-up and a signature check. */
const MAX_SIGNATURES = 3

/**
 * The signatures of these domains that a received mail claims to have and that could prove it: they cover the whole body
 * (no `l=`), From and Content-Type, each of which the mail has once. Bounded in time and memory whatever comes.
 */
export function claimedSignatures(raw: Buffer, domains: readonly string[]): ClaimedSignature[] {
  return (readHead(raw)?.fields ?? [])
    .flatMap(field => claimOf(field, domains) ?? [])
    .slice(0, MAX_SIGNATURES)
}

/**
 * Verifies a received mail by DKIM (RFC 6376, 8301, 8463) for some domains. Stricter than a receiver: see
 * `claimedSignatures`; besides, lines of the head end with CRLF, From is of the signing domain's organisation, and keys in
 * testing mode prove nothing.
 * @param domains lower case
 * @returns those of them whose signature passes; none also where DNS does not answer. Never rejects.
 */
export async function verifyMail(
  raw: Buffer,
  domains: readonly string[],
  resolveTxt: ResolveTxt,
): Promise<string[]> {
  const head = readHead(raw)
  if (head === null || claimedSignatures(raw, domains).length === 0) return []
  try {
    const verified = await dkimVerify(withClaimedOnly(raw, head, domains), {
      strict: true,
      resolver: async name => (await resolveTxt(name)).map(record => [record]),
    })
    if (verified.fromFields !== 1 || verified.headerFrom.length !== 1) return []
    const passed = verified.results.filter(
      ({ status, canonBodyLengthLimited }) =>
        status.result === 'pass' &&
        Boolean(status.aligned) &&
        !status.testing &&
        canonBodyLengthLimited === false,
    )
    const proven = passed.map(({ signingDomain }) => signingDomain?.toLowerCase() ?? '')
    return [...new Set(proven)].filter(domain => domains.includes(domain))
  } catch {
    // Whatever is wrong with the mail or its keys: it proves nothing.
    return []
  }
}

interface Field {
  /** Lower case. */
  name: string
  /** As it stands in the mail, with its line end. */
  text: string
}

interface Head {
  fields: readonly Field[]
  /** Where the empty line begins. */
  end: number
}

/**
 * The head of a mail; null for one that two programs could read differently: bare line feeds or returns, lines that are no
 * field, From or Content-Type missing or repeated.
 */
function readHead(raw: Buffer): Head | null {
  const end = raw.subarray(0, MAX_HEAD).indexOf('\r\n\r\n')
  if (end < 0) return null
  const text = raw.toString('latin1', 0, end + 2)
  const lines = text.split('\r\n')
  lines.pop()
  if (lines.some(line => /[\r\n\0]/.test(line))) return null
  const fields: Field[] = []
  for (const line of lines) {
    const last = fields.at(-1)
    const name = /^([!-9;-~]{1,100}):/.exec(line)?.[1]
    if (/^[ \t]/.test(line) && last) last.text += `${line}\r\n`
    else if (name === undefined) return null
    else fields.push({ name: name.toLowerCase(), text: `${line}\r\n` })
  }
  const isOnce = (name: string) => fields.filter(field => field.name === name).length === 1
  return fields.length <= MAX_FIELDS && isOnce('from') && isOnce('content-type') ? { fields, end } : null
}

function claimOf({ name, text }: Field, domains: readonly string[]): ClaimedSignature | null {
  if (name !== 'dkim-signature') return null
  const tags = readTags(text.slice(text.indexOf(':') + 1))
  const domain = tags?.get('d')?.toLowerCase()
  const selector = tags?.get('s') ?? ''
  const signed = new Set(tags?.get('h')?.toLowerCase().split(':'))
  if (!tags || domain === undefined || !domains.includes(domain) || !/^[\w.-]{1,100}$/.test(selector))
    return null
  if (tags.has('l') || !signed.has('from') || !signed.has('content-type')) return null
  return { domain, keyName: `${selector}._domainkey.${domain}` }
}

/** RFC 6376, 3.2; null where a tag stands twice. White space has no meaning in the tags that are read. */
function readTags(value: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  for (const part of value.split(';')) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    const name = part.slice(0, equals).trim()
    if (tags.has(name)) return null
    tags.set(name, part.slice(equals + 1).replaceAll(/\s+/g, ''))
  }
  return tags
}

/** The mail without signatures that would prove nothing, so that they cost nothing: each may hash the body its own way. */
function withClaimedOnly(raw: Buffer, { fields, end }: Head, domains: readonly string[]): Buffer {
  let left = MAX_SIGNATURES
  const kept = fields.filter(field => {
    if (field.name.startsWith('arc-')) return false
    if (field.name !== 'dkim-signature') return true
    return claimOf(field, domains) !== null && left-- > 0
  })
  const head = kept.map(({ text }) => text).join('')
  return Buffer.concat([Buffer.from(head, 'latin1'), raw.subarray(end + 2)])
}
