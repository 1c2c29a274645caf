import { isbot } from 'isbot'
import { mailProgramOf } from './mail-programs.ts'
import { isInNetwork, type NetworkName } from './networks.ts'

/**
 * Who probably made a hit. `human`: a reader, also through a mail program's image proxy · `apple_mpp`: Apple fetched
 * the pictures beforehand, whether the mail is read is unknown · `scanner`: a security filter · `prefetch`: a browser
 * or mail program loading ahead · `machine`: any other program. Hits are always stored; the verdict decides what
 * counts.
 */
export type Verdict = 'human' | 'machine' | 'apple_mpp' | 'scanner' | 'prefetch'

export interface Hit {
  kind: 'open' | 'click'
  userAgent: string
  ip: string
  /** Between the receiving host's acceptance of the mail and the hit; null when that is not known. */
  msSinceSent: number | null
  method: string
  /** The request said that nobody looks yet (`Sec-Purpose: prefetch` and its older kin). */
  isAhead?: boolean
  /** Links of this mail clicked within a second of this click, this one included. */
  sameSecondClicks?: number
  /** Mails opened (or clicked in) from this address within a second of this hit, this one included. */
  sameSecondMails?: number
}

/** The rules' names; the console has a text for each. */
export type HitReason = PlainReason | `${'filter_agent' | 'filter_network'}/${string}`

type PlainReason =
  | 'head'
  | 'method'
  | 'ahead'
  | 'mpp_agent'
  | 'mpp_network'
  | 'mpp_relay'
  | 'no_agent'
  | 'bare_agent'
  | 'preview'
  | 'many_links'
  | 'links_at_delivery'
  | 'fast_click'
  | 'fast_open'
  | 'proxy_click'
  | 'image_proxy'
  | 'mail_program'
  | 'program'
  | 'reader'
  | 'many_mails'

export interface Judgement {
  verdict: Verdict
  /** Why: a code, and behind a slash the name of a product where the rule is about one. */
  reason: HitReason
}

/** Nobody opens a mail faster than this after it was accepted. */
export const fastestOpenMs = 1_000

/** Nobody opens a mail, finds a link and follows it faster than this. */
export const fastestClickMs = 2_000

/** Filters that click through a mail do it right after it arrives. */
const deliveryMs = 10_000

/** Judges one hit by the first rule that fits; pure. */
export function judgeHit(hit: Hit): Judgement {
  for (const { fits, ...judgement } of rules) if (fits(hit)) return judgement
  return { verdict: 'human', reason: 'reader' }
}

interface Rule extends Judgement {
  fits: (hit: Hit) => boolean
}

/** In order: certain signs first, then names, then networks, then timing. */
const rules: readonly Rule[] = [
  {
    verdict: 'scanner',
    reason: 'head',
    fits: ({ method }) => method.toUpperCase() === 'HEAD',
  },
  {
    verdict: 'machine',
    reason: 'method',
    fits: ({ method }) => !/^(?:GET|POST)$/i.test(method),
  },
  { verdict: 'prefetch', reason: 'ahead', fits: ({ isAhead = false }) => isAhead },
  {
    verdict: 'apple_mpp',
    reason: 'mpp_agent',
    fits: isOpen(hit => bareAgent.test(hit.userAgent.trim())),
  },
  {
    verdict: 'apple_mpp',
    reason: 'mpp_network',
    fits: isOpen(hit => isInNetwork('apple', hit.ip)),
  },
  {
    verdict: 'apple_mpp',
    reason: 'mpp_relay',
    fits: isOpen(hit => webView.test(hit.userAgent) && isInNetwork('appleRelay', hit.ip)),
  },
  { verdict: 'machine', reason: 'no_agent', fits: ({ userAgent }) => userAgent.trim() === '' },
  {
    verdict: 'machine',
    reason: 'bare_agent',
    fits: ({ userAgent }) => bareAgent.test(userAgent.trim()),
  },
  ...scannerNames(),
  {
    verdict: 'prefetch',
    reason: 'preview',
    fits: ({ userAgent }) => linkPreviews.test(userAgent),
  },
  ...scannerNetworks(),
  { verdict: 'scanner', reason: 'many_mails', fits: isForMany },
  {
    verdict: 'scanner',
    reason: 'many_links',
    fits: ({ kind, sameSecondClicks = 1 }) => kind === 'click' && sameSecondClicks >= 3,
  },
  {
    verdict: 'scanner',
    reason: 'links_at_delivery',
    fits: hit => hit.kind === 'click' && (hit.sameSecondClicks ?? 1) >= 2 && isWithin(hit, deliveryMs),
  },
  {
    verdict: 'scanner',
    reason: 'fast_click',
    fits: hit => hit.kind === 'click' && isWithin(hit, fastestClickMs),
  },
  {
    verdict: 'machine',
    reason: 'fast_open',
    fits: isOpen(hit => isWithin(hit, fastestOpenMs)),
  },
  {
    verdict: 'machine',
    reason: 'proxy_click',
    fits: hit => hit.kind === 'click' && mailProgramOf(shortAgent(hit))?.isProxy === true,
  },
  {
    verdict: 'human',
    reason: 'image_proxy',
    fits: isOpen(hit => mailProgramOf(shortAgent(hit))?.isProxy === true),
  },
  {
    verdict: 'human',
    reason: 'mail_program',
    fits: isOpen(hit => mailProgramOf(shortAgent(hit)) !== undefined),
  },
  {
    verdict: 'machine',
    reason: 'program',
    fits: hit => isbot(shortAgent(hit)),
  },
]

/**
 * One address opening the mails of many people at once is a filter in front of their mailboxes. A household or an office
 * shares an address as well, and providers fetch pictures for all their readers from a few.
 */
function isForMany(hit: Hit): boolean {
  const { kind, ip, sameSecondMails = 1 } = hit
  if (sameSecondMails < (kind === 'click' ? manyClicked : manyOpened) || isInNetwork('nobody', ip))
    return false
  return !isInNetwork('googleProxy', ip) && mailProgramOf(shortAgent(hit))?.isProxy !== true
}

const manyOpened = 10
const manyClicked = 5

const bareAgent = /^Mozilla\/[45]\.0$/

/** WebKit as Apple Mail embeds it: without the name of a browser behind it. */
const webView = /AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/

/** Real agents are shorter; longer ones are attacks on whoever reads them. */
function shortAgent({ userAgent }: Pick<Hit, 'userAgent'>): string {
  return userAgent.slice(0, 512)
}

const linkPreviews =
  /facebookexternalhit|Slackbot|TelegramBot|WhatsApp\/|SkypeUriPreview|Discordbot|LinkedInBot|Twitterbot|BingPreview|Google-PageRenderer/i

function isOpen(test: (hit: Hit) => boolean): (hit: Hit) => boolean {
  return hit => hit.kind === 'open' && test(hit)
}

function isWithin({ msSinceSent }: Hit, milliseconds: number): boolean {
  return msSinceSent !== null && msSinceSent < milliseconds
}

/** Security products that say who they are. */
function scannerNames(): Rule[] {
  const products: [name: string, pattern: RegExp][] = [
    ['Barracuda', /Barracuda/i],
    ['Proofpoint', /Proofpoint|urldefense/i],
    ['Mimecast', /Mimecast/i],
    ['Microsoft', /Microsoft Office Existence Discovery|SafeLinks|Microsoft-Antispam/i],
    ['Cisco', /IronPort|Cisco[- ]?(?:Secure|Umbrella|Talos)/i],
    ['Symantec', /Symantec|MessageLabs/i],
    ['Trellix', /FireEye|Trellix|McAfee/i],
    ['Trend Micro', /Trend ?Micro/i],
    ['Sophos', /Sophos/i],
    ['Fortinet', /Forti(?:net|mail|guard)/i],
    ['Forcepoint', /Forcepoint|Websense/i],
    ['Zscaler', /Zscaler/i],
    ['Check Point', /Check ?Point|Avanan/i],
    ['Cloudmark', /Cloudmark/i],
    ['Vade', /VadeSecure|Vade Retro/i],
    ['Hornetsecurity', /Hornetsecurity/i],
    ['Kaspersky', /Kaspersky/i],
    ['Netcraft', /Netcraft/i],
    ['urlscan', /urlscan|VirusTotal|PhishTank|Google-Safety|SafeBrowsing/i],
  ]
  return products.map(([name, pattern]) => ({
    verdict: 'scanner',
    reason: `filter_agent/${name}`,
    fits: ({ userAgent }) => pattern.test(userAgent),
  }))
}

function scannerNetworks(): Rule[] {
  const products: [name: string, network: NetworkName][] = [
    ['Proofpoint', 'proofpoint'],
    ['Mimecast', 'mimecast'],
    ['Barracuda', 'barracuda'],
    ['Microsoft', 'microsoft'],
  ]
  return products.map(([name, network]) => ({
    verdict: 'scanner',
    reason: `filter_network/${name}`,
    fits: ({ ip }) => isInNetwork(network, ip),
  }))
}
