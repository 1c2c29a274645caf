import { isbot } from 'isbot'
import { type MailProgram, mailProgramOf } from './mail-programs.ts'
import { isInNetwork, type NetworkName } from './networks.ts'

/**
 * Who probably caused a tracking event. `human`: a reader, also through an image proxy · `apple_mpp`: Apple Mail
 * Privacy Protection prefetched the images; whether somebody read the mail is unknown · `scanner`: a security filter
 * · `prefetch`: a browser or mail program prefetched · `machine`: any other program. Events are always stored; the
 * verdict decides whether they count.
 */
export type Verdict = 'human' | 'machine' | 'apple_mpp' | 'scanner' | 'prefetch'

export interface TrackedRequest {
  kind: 'open' | 'click'
  userAgent: string
  ip: string
  /** Milliseconds from the receiving server's acceptance of the message to the event; null if unknown. */
  msSinceSent: number | null
  method: string
  /** The request is marked as a prefetch (`Sec-Purpose: prefetch` or an older header). */
  isAhead?: boolean
  /** Links of this message clicked within a second of this click, including it. */
  sameSecondClicks?: number
  /** Messages opened (or clicked) from this IP address within a second of this event, including it. */
  sameSecondMails?: number
}

/** Names of the rules. The console has a text for each. */
export type EventReason = PlainReason | `${'filter_agent' | 'filter_network'}/${string}`

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

export interface Classification {
  verdict: Verdict
  /** Rule that matched; followed by a slash and a product name if the rule detects products. */
  reason: EventReason
}

/** Opens sooner after acceptance are not made by people. */
const fastestOpenMs = 1_000

/** Clicks sooner after acceptance are not made by people. */
const fastestClickMs = 2_000

/** Filters that click links do so within this time after delivery. */
const deliveryMs = 10_000

/** Classifies a tracking event by the first rule that matches. Pure. */
export function classifyEvent(hit: TrackedRequest): Classification {
  const signs = signsOf(hit.userAgent)
  for (const { fits, verdict, reason } of rules) if (fits(hit, signs)) return { verdict, reason }
  return { verdict: 'human', reason: 'reader' }
}

interface Rule extends Classification {
  fits: (hit: TrackedRequest, signs: AgentSigns) => boolean
}

/** Security products that name themselves in the user agent. */
const filterProducts: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Barracuda', /Barracuda/i],
  ['Proofpoint', /Proofpoint|urldefense/i],
  ['Mimecast', /Mimecast/i],
  ['Microsoft', /Microsoft Office Existence Discovery|SafeLinks|Microsoft-Antispam/i],
  ['Cisco', /IronPort|Cisco[- ]?(?:Secure|Umbrella|Talos)/i],
  ['Symantec', /Symantec|MessageLabs/i],
  // McAfee's browser add-on adds its name to the user agents of people.
  ['Trellix', /FireEye|Trellix|McAfee[ -]?(?:Web ?Gateway|SiteAdvisor|E-?mail|Labs|GTI)/i],
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

/** Order: reliable signs first, then user agents, then networks, then timing. */
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
    fits: isOpen((_, { isBare }) => isBare),
  },
  {
    verdict: 'apple_mpp',
    reason: 'mpp_network',
    fits: isOpen(hit => isInNetwork('apple', hit.ip)),
  },
  {
    verdict: 'apple_mpp',
    reason: 'mpp_relay',
    fits: isOpen(({ ip }, { isWebView }) => isWebView && isInNetwork('appleRelay', ip)),
  },
  { verdict: 'machine', reason: 'no_agent', fits: (_, { isBlank }) => isBlank },
  {
    verdict: 'machine',
    reason: 'bare_agent',
    fits: (_, { isBare }) => isBare,
  },
  ...scannerNames(),
  {
    verdict: 'prefetch',
    reason: 'preview',
    fits: (_, { isPreview }) => isPreview,
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
    fits: ({ kind }, { program }) => kind === 'click' && program?.isProxy === true,
  },
  {
    verdict: 'human',
    reason: 'image_proxy',
    fits: isOpen((_, { program }) => program?.isProxy === true),
  },
  {
    verdict: 'human',
    reason: 'mail_program',
    fits: (_, { program, isCrawler }) => program !== undefined && !isCrawler,
  },
  {
    verdict: 'machine',
    reason: 'program',
    fits: (_, { isBot }) => isBot,
  },
]

/**
 * One IP address that opens the messages of many recipients at once is a filter in front of their mailboxes.
 * Households and offices share an address too, and image proxies fetch for all their readers from a few addresses.
 */
function isForMany({ kind, ip, sameSecondMails = 1 }: TrackedRequest, { program }: AgentSigns): boolean {
  if (sameSecondMails < (kind === 'click' ? manyClicked : manyOpened) || isInNetwork('nobody', ip))
    return false
  return !isInNetwork('googleProxy', ip) && program?.isProxy !== true
}

const manyOpened = 10
const manyClicked = 5

const bareAgent = /^Mozilla\/[45]\.0$/

/** WebKit as Apple Mail embeds it: no browser name follows. */
const webView = /AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/

/** Properties derived from the user agent alone. */
interface AgentSigns {
  isBlank: boolean
  isBare: boolean
  isWebView: boolean
  isPreview: boolean
  isBot: boolean
  /** The user agent says that it is a crawler, whichever mail program it is based on. */
  isCrawler: boolean
  /** Security product named in the user agent. */
  filter: string | undefined
  program: MailProgram | undefined
}

/**
 * Cached: a few thousand user agents cause nearly all events, and matching fifty patterns is the most expensive part.
 */
function signsOf(userAgent: string): AgentSigns {
  // Real user agents are shorter. The limit bounds the work on malicious ones.
  const text = userAgent.slice(0, 512).trim()
  const known = signs.get(text)
  if (known) return known
  const made = {
    isBlank: text === '',
    isBare: bareAgent.test(text),
    isWebView: webView.test(text),
    isPreview: linkPreviews.test(text),
    isBot: isbot(text) || siteTests.test(text),
    isCrawler: /crawler|spider/i.test(text),
    filter: filterProducts.find(([, pattern]) => pattern.test(text))?.[0],
    program: mailProgramOf(text),
  }
  if (signs.size >= mostKept) signs.clear()
  signs.set(text, made)
  return made
}

const signs = new Map<string, AgentSigns>()
const mostKept = 5_000

/** Services that test pages with browsers of their own. */
const siteTests = /GTmetrix|Miniature\.io|\bYLT\b|TSM-turingos/

const linkPreviews =
  /facebookexternalhit|Slackbot|TelegramBot|WhatsApp\/|SkypeUriPreview|Discordbot|LinkedInBot|Twitterbot|BingPreview|Google-PageRenderer/i

function isOpen(test: Rule['fits']): Rule['fits'] {
  return (hit, found) => hit.kind === 'open' && test(hit, found)
}

function isWithin({ msSinceSent }: TrackedRequest, milliseconds: number): boolean {
  return msSinceSent !== null && msSinceSent < milliseconds
}

function scannerNames(): Rule[] {
  return filterProducts.map(([name]) => ({
    verdict: 'scanner',
    reason: `filter_agent/${name}`,
    fits: (_, { filter }) => filter === name,
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
