import { domainToASCII } from 'node:url'
import type { ProviderProfile } from './provider-profile.ts'

/** One DNS record without its name; `ttl` in seconds, default 60. */
export type Answer = { ttl?: number } & (
  | { type: 'A' | 'AAAA' | 'CNAME' | 'NS' | 'PTR'; value: string }
  | { type: 'MX'; preference: number; exchange: string }
  /** Of any length; split into strings of 255 octets on the wire. */
  | { type: 'TXT'; text: string }
)

/**
 * Resolves names outside the providers' domains: the sender domains of the installation. Names are lower-case
 * A-labels without trailing dot. Null for an unknown name, an empty list without records of that type.
 */
export type ZoneLookup = (name: string, type: string) => Promise<readonly Answer[] | null>

/** The signature of node:dns' `resolve`, as mailauth needs it; rejects with ENOTFOUND and ENODATA. */
export type Resolver = (name: string, type: string) => Promise<string[] | string[][]>

export interface ZoneAnswer {
  name: string
  answer: Answer
}

export interface Zone {
  /**
   * Returns the records of a name, preceded by the aliases that lead to them; null for an unknown name. Rejects if
   * the lookup fails or the aliases are circular.
   */
  find: (name: string, type: string) => Promise<ZoneAnswer[] | null>
  resolver: Resolver
}

export interface ZoneOptions {
  profiles: readonly ProviderProfile[]
  /** IPv4 address of the testbed's servers. */
  address: string
  lookup?: ZoneLookup | undefined
  now?: (() => number) | undefined
}

/** Creates the DNS zone of the testbed: MX, A and TXT of its providers, and the records of `lookup`. */
export function createZone(options: ZoneOptions): Zone {
  const own = providerRecords(options.profiles, options.address)
  const ask = cacheLookups(options.lookup ?? (async () => null), options.now ?? Date.now)

  async function find(name: string, type: string): Promise<ZoneAnswer[] | null> {
    const found: ZoneAnswer[] = []
    let current = normaliseName(name)
    for (let step = 0; step < MOST_ALIASES; step++) {
      const answers = await findAt(current, type)
      if (answers === null) return step === 0 ? null : found
      found.push(...answers.map(answer => ({ name: current, answer })))
      const alias = answers.find(answer => answer.type === 'CNAME')
      if (alias?.type !== 'CNAME' || type === 'CNAME') return found
      current = normaliseName(alias.value)
    }
    throw new Error(`The aliases of ${name} lead in a circle.`)
  }

  async function findAt(name: string, type: string): Promise<readonly Answer[] | null> {
    const records = own.get(name)
    const answers = records ?? (name === '' ? null : await ask(name, type))
    return answers?.filter(answer => answer.type === type || answer.type === 'CNAME') ?? null
  }

  return { find, resolver: createResolver(find) }
}

const MOST_ALIASES = 8

/** Lower-case A-labels without trailing dot; '' for an invalid name. */
function normaliseName(name: string): string {
  const bare = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
  // Service names (_dmarc, selector._domainkey) are not host names; only non-ASCII names need the mapping.
  return /^[\x21-\x7e]*$/.test(bare) ? bare : domainToASCII(bare)
}

function providerRecords(profiles: readonly ProviderProfile[], address: string): Map<string, Answer[]> {
  const records = new Map<string, Answer[]>()
  for (const profile of profiles) {
    for (const host of profile.mx) records.set(host, [{ type: 'A', value: address }])
    for (const domain of profile.domains.map(domainToASCII)) {
      records.set(domain, [
        ...profile.mx.map((exchange, index) => ({
          type: 'MX' as const,
          preference: 10 * (index + 1),
          exchange,
        })),
        { type: 'A', value: address },
        { type: 'TXT', text: `v=spf1 ip4:${address} -all` },
      ])
      records.set(`_dmarc.${domain}`, [{ type: 'TXT', text: 'v=DMARC1; p=none' }])
    }
  }
  return records
}

/** Calls `lookup` at most once in 5 seconds for the same question, and never concurrently. */
function cacheLookups(lookup: ZoneLookup, now: () => number): ZoneLookup {
  const known = new Map<string, { until: number; answers: Promise<readonly Answer[] | null> }>()
  return (name, type) => {
    const key = `${type} ${name}`
    const entry = known.get(key)
    if (entry && entry.until > now()) return entry.answers
    if (known.size >= MAX_CACHED) known.clear()
    const answers = lookup(name, type)
    known.set(key, { until: now() + CACHE_TIME, answers })
    answers.catch(() => known.delete(key))
    return answers
  }
}

const CACHE_TIME = 5000
const MAX_CACHED = 2000

function createResolver(find: Zone['find']): Resolver {
  return async (name, type) => {
    const found = await find(name, type)
    if (found === null) throw dnsError('ENOTFOUND', name, type)
    const answers = found.map(entry => entry.answer).filter(answer => answer.type === type)
    if (answers.length === 0) throw dnsError('ENODATA', name, type)
    if (type === 'TXT') return answers.map(answer => [answer.type === 'TXT' ? answer.text : ''])
    return answers.map(plainValue)
  }
}

function plainValue(answer: Answer): string {
  if (answer.type === 'TXT') return answer.text
  if (answer.type !== 'MX') return answer.value
  // mailauth declares strings for every type, but expects MX records as node returns them: objects with these fields.
  return Object.assign(answer.exchange, { exchange: answer.exchange, priority: answer.preference })
}

function dnsError(code: string, name: string, type: string): Error {
  return Object.assign(new Error(`query${type} ${code} ${name}`), { code })
}
