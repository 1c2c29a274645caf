import type { Behaviour, BehaviourWeights, ProviderProfile } from './provider-profile.ts'

export type Folder = 'inbox' | 'promotions' | 'spam'

/** Reaction forced by a special local part. */
export type ForcedReaction = 'complain' | 'unsubscribe' | 'quiet' | 'none' | 'open' | 'click' | 'scan'

/** What happens to messages to one recipient. */
export interface Fate {
  provider: ProviderProfile
  behaviour: Behaviour
  /** Folder of a message that passes authentication. */
  folder: Folder
  /** Set by a special local part; null: random. */
  forced: ForcedReaction | null
}

/**
 * Decides how a provider treats a recipient: by the special word before the first hyphen of the local part
 * (`bounce-anna@…`), otherwise by a hash of address and seed, so that the same address is always treated the same.
 */
export function chooseFate(address: string, provider: ProviderProfile, seed: string): Fate {
  const special = findSpecial(address)
  if (special) return { provider, behaviour: 'accept', folder: 'inbox', forced: null, ...special }
  return {
    provider,
    behaviour: pickBehaviour(provider.weights, draw(address, seed, 'behaviour')),
    folder: pickFolder(provider, draw(address, seed, 'folder')),
    forced: null,
  }
}

/** Words that force a result, for tests and demonstrations. */
const SPECIAL_LOCAL_PARTS: Readonly<Record<string, Partial<Omit<Fate, 'provider'>>>> = {
  bounce: { behaviour: 'unknown', forced: 'none' },
  full: { behaviour: 'full', forced: 'none' },
  grey: { behaviour: 'greylist', forced: 'none' },
  busy: { behaviour: 'defer', forced: 'none' },
  slow: { behaviour: 'slow', forced: 'none' },
  drop: { behaviour: 'drop', forced: 'none' },
  cut: { behaviour: 'cut', forced: 'none' },
  reject: { behaviour: 'reject', forced: 'none' },
  dsn: { behaviour: 'dsn', forced: 'none' },
  ok: { forced: 'none' },
  quiet: { forced: 'quiet' },
  spam: { folder: 'spam', forced: 'none' },
  promo: { folder: 'promotions', forced: 'none' },
  complain: { forced: 'complain' },
  unsub: { forced: 'unsubscribe' },
  open: { forced: 'open' },
  click: { forced: 'click' },
  scan: { forced: 'scan' },
}

function findSpecial(address: string): Partial<Omit<Fate, 'provider'>> | undefined {
  const end = address.search(/[-@]/)
  const word = end < 0 ? '' : address.slice(0, end).toLowerCase()
  return Object.hasOwn(SPECIAL_LOCAL_PARTS, word) ? SPECIAL_LOCAL_PARTS[word] : undefined
}

function pickBehaviour(weights: BehaviourWeights, chance: number): Behaviour {
  let upTo = 0
  for (const behaviour of WEIGHTED) {
    upTo += (weights[behaviour] ?? 0) / 1000
    if (chance < upTo) return behaviour
  }
  return 'accept'
}

const WEIGHTED = [
  'unknown',
  'full',
  'greylist',
  'defer',
  'reject',
  'slow',
  'drop',
  'cut',
  'dsn',
] as const satisfies readonly Behaviour[]

function pickFolder(provider: ProviderProfile, chance: number): Folder {
  if (chance < provider.folders.spam) return 'spam'
  return chance < provider.folders.spam + provider.folders.promotions ? 'promotions' : 'inbox'
}

/**
 * Returns a deterministic number from 0 up to 1; different purposes give independent numbers. Addresses are
 * case-insensitive. FNV-1a with the finalizer of MurmurHash3: 0.3 µs, and uniform enough for shares of a thousandth.
 */
export function draw(address: string, seed: string, purpose: string): number {
  let hash = 0x811c9dc5
  hash = fnv(hash, seed)
  hash = fnv(hash, purpose)
  hash = fnv(hash, address.toLowerCase())
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

function fnv(start: number, text: string): number {
  let hash = start
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // Separator, so that seed "ab" + purpose "c" differs from seed "a" + purpose "bc".
  return Math.imul(hash ^ 0xff, 0x01000193)
}
