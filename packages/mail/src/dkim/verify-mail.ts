/** Resolves the TXT records of a name, the strings of each joined; rejects if DNS gives no answer. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>

/** A signature as the message declares it; nothing of it is verified. */
export interface ClaimedSignature {
  /** `d=`, lower case. */
  domain: string
  /** Name of the TXT record with its key. */
  keyName: string
}

/** Maximum bytes and fields of a header; messages of mailbox providers have about 5 KB. */
const MAX_HEAD = 64 * 1024
const MAX_FIELDS = 500

/** Per message: each takes a DNS lookup and a signature check. */
const MAX_SIGNATURES = 3

/**
 * Returns the signatures of the given domains that are worth verifying: they cover the whole body (no `l=`), From and
 * Content-Type, each of which occurs once. Bounded in time and memory.
 */
export function claimedSignatures(raw: Buffer, domains: readonly string[]): ClaimedSignature[] {
  return (readHead(raw)?.fields ?? [])
    .flatMap(field => claimOf(field, domains) ?? [])
    .slice(0, MAX_SIGNATURES)
}

/**
 * Verifies the DKIM signatures of a received message (RFC 6376, 8301, 8463) for some domains. Stricter than receiving
 * servers: besides the checks of `claimedSignatures`, header lines end with CRLF, From belongs to the signing
 * domain's organization, and keys in testing mode are rejected.
 * @param domains lower case
 * @returns the domains whose signature passes; empty also if DNS fails. Never rejects.
 */
export async function verifyMail(
  raw: Buffer,
  domains: readonly string[],
  resolveTxt: ResolveTxt,
): Promise<string[]> {
  const head = readHead(raw)
  if (head === null || claimedSignatures(raw, domains).length === 0) return []
  // Takes a fifth of a role's start, and most roles verify nothing.
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js')
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
    // Any fault of the message or its keys means: not verified.
    return []
  }
}

interface Field {
  /** Lower case. */
  name: string
  /** As in the message, including its line end. */
  text: string
}

interface Head {
  fields: readonly Field[]
  /** Offset of the empty line. */
  end: number
}

/**
 * Parses the header of a message; null if two parsers could read it differently: bare line feeds or carriage returns,
 * lines that are not fields, From or Content-Type missing or repeated.
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

/** RFC 6376, 3.2; null if a tag occurs twice. White space is insignificant in the tags used. */
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

/** Removes all other signatures, so that they cost nothing: each may hash the body in its own way. */
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
