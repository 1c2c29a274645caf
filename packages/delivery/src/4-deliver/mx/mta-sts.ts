import { type DnsClient, DnsFault } from './dns-client.ts'

/** MTA-STS policy of a domain (RFC 8461). */
export interface StsPolicy {
  mode: 'enforce' | 'testing' | 'none'
  /** Patterns of exchanger names: a name, or `*.` and a domain. */
  mx: readonly string[]
  maxAge: number
}

/** Fetches the text at an https URL; null if unavailable. Certificates are verified, redirects not followed. */
export type FetchPolicy = (url: string) => Promise<string | null>

export interface StsPolicies {
  /** Returns the current policy of a domain; null without one. Never rejects. */
  find(domain: string): Promise<StsPolicy | null>
}

const MOST_KEPT = 20_000

/** Milliseconds between two requests for the same version of a policy (RFC 8461, 3.3). */
const PAUSE = 300_000

/** Cached state of a domain: its policy, and the version requested last. */
interface Known {
  id: string
  askAgainAt: number
  policy: StsPolicy | null
  until: number
}

/** Caches policies until they expire, so that blocking DNS or the web server has no effect. */
export function createStsPolicies(dns: DnsClient, fetchPolicy: FetchPolicy, now = Date.now): StsPolicies {
  const kept = new Map<string, Known>()
  const asking = new Map<string, Promise<StsPolicy | null>>()
  return {
    find(domain) {
      const existing = asking.get(domain)
      if (existing) return existing
      const search = look(domain).finally(() => asking.delete(domain))
      asking.set(domain, search)
      return search
    },
  }

  async function look(domain: string): Promise<StsPolicy | null> {
    const existing = kept.get(domain)
    const valid = existing && existing.until > now() ? existing.policy : null
    const id = await readId(dns, domain)
    // A missing or invalid record does not end a policy early (RFC 8461, 5.1).
    if (id === null || (id === existing?.id && now() < existing.askAgainAt)) return valid
    const text = await fetchPolicy(`https://mta-sts.${domain}/.well-known/mta-sts.txt`).catch(() => null)
    const policy = text === null ? null : parsePolicy(text)
    // Evicts the oldest entry, so that the cache stays bounded.
    if (!kept.has(domain) && kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    if (policy === null) {
      kept.set(domain, { id, askAgainAt: now() + PAUSE, policy: valid, until: existing?.until ?? 0 })
      return valid
    }
    const age = Math.max(2 * PAUSE, policy.maxAge * 1000)
    // Refreshed long before it expires, so that a short outage does not end it.
    kept.set(domain, { id, askAgainAt: now() + age / 2, policy, until: now() + age })
    return policy
  }
}

/** Returns the id of a domain's policy, which changes with it; null if there is none or DNS fails. */
async function readId(dns: DnsClient, domain: string): Promise<string | null> {
  try {
    const { answers } = await dns.ask(`_mta-sts.${domain}`, 'TXT')
    const texts = answers
      .flatMap(answer => (answer.type === 'TXT' ? [[answer.data].flat().map(String).join('')] : []))
      .filter(text => /^v=STSv1\s*;/.test(text))
    // Several records count as none (RFC 8461, 3.1).
    return texts.length === 1
      ? (/;\s*id=([A-Za-z0-9]{1,32})\s*(?:;|$)/.exec(texts[0] ?? '')?.[1] ?? null)
      : null
  } catch (error) {
    if (error instanceof DnsFault) return null
    throw error
  }
}

/** Parses a policy file (RFC 8461, 3.2); null if it is invalid. */
export function parsePolicy(text: string): StsPolicy | null {
  if (text.length > MOST_POLICY_BYTES) return null
  const fields = text.split('\n').map(line => {
    const [name = '', ...value] = line.split(':')
    return { name: name.trim(), value: value.join(':').trim() }
  })
  const first = (name: string) => fields.find(field => field.name === name)?.value
  const mode = first('mode')
  const mx = fields.filter(({ name }) => name === 'mx').map(({ value }) => value.toLowerCase())
  const maxAge = first('max_age') ?? ''
  if (first('version') !== 'STSv1' || !/^\d{1,10}$/.test(maxAge)) return null
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return null
  if (mode !== 'none' && mx.length === 0) return null
  return { mode, mx, maxAge: Math.min(Number(maxAge), MOST_AGE) }
}

/** Limit of RFC 8461, 3.2; usual policies have 0.1 kB. */
export const MOST_POLICY_BYTES = 65_536

/** A year in seconds, the maximum of RFC 8461, 3.2. */
const MOST_AGE = 31_557_600

/** True if a policy allows an exchanger. `*.` matches one label (RFC 8461, 4.1). */
export function allowsHost({ mx }: StsPolicy, host: string): boolean {
  const parent = host.slice(host.indexOf('.') + 1)
  return mx.some(pattern => (pattern.startsWith('*.') ? pattern.slice(2) === parent : pattern === host))
}
