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
  /** Lower-case names, as Node gives them. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Clicks on different links of this mail within the same second, this one included. */
  sameSecondClicks?: number
}

export interface Judgement {
  verdict: Verdict
  /** Why, in a few words for the activity list. */
  reason: string
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
  return { verdict: 'human', reason: 'nothing speaks against a reader' }
}

interface Rule extends Judgement {
  fits: (hit: Hit) => boolean
}

/** In order: certain signs first, then names, then networks, then timing. */
const rules: readonly Rule[] = [
  {
    verdict: 'scanner',
    reason: 'only asked whether the link exists (HEAD)',
    fits: ({ method }) => method.toUpperCase() === 'HEAD',
  },
  {
    verdict: 'machine',
    reason: 'no reader uses this method',
    fits: ({ method }) => !/^(?:GET|POST)$/i.test(method),
  },
  { verdict: 'prefetch', reason: 'loaded ahead (prefetch header)', fits: isPrefetch },
  {
    verdict: 'apple_mpp',
    reason: 'Apple Mail Privacy Protection (bare agent)',
    fits: isOpen(hit => bareAgent.test(hit.userAgent.trim())),
  },
  {
    verdict: 'apple_mpp',
    reason: 'Apple Mail Privacy Protection (Apple network)',
    fits: isOpen(hit => isInNetwork('apple', hit.ip)),
  },
  {
    verdict: 'apple_mpp',
    reason: 'Apple Mail Privacy Protection (relay network)',
    fits: isOpen(hit => webView.test(hit.userAgent) && isInNetwork('appleRelay', hit.ip)),
  },
  { verdict: 'machine', reason: 'no user agent', fits: ({ userAgent }) => userAgent.trim() === '' },
  {
    verdict: 'machine',
    reason: 'a user agent that says nothing',
    fits: ({ userAgent }) => bareAgent.test(userAgent.trim()),
  },
  ...scannerNames(),
  {
    verdict: 'prefetch',
    reason: 'preview of a messenger or social network',
    fits: ({ userAgent }) => linkPreviews.test(userAgent),
  },
  ...scannerNetworks(),
  {
    verdict: 'scanner',
    reason: 'three or more links within one second',
    fits: ({ kind, sameSecondClicks = 1 }) => kind === 'click' && sameSecondClicks >= 3,
  },
  {
    verdict: 'scanner',
    reason: 'several links at once right after delivery',
    fits: hit => hit.kind === 'click' && (hit.sameSecondClicks ?? 1) >= 2 && isWithin(hit, deliveryMs),
  },
  {
    verdict: 'scanner',
    reason: 'clicked faster than anybody reads',
    fits: hit => hit.kind === 'click' && isWithin(hit, fastestClickMs),
  },
  {
    verdict: 'machine',
    reason: 'opened faster than anybody reads',
    fits: isOpen(hit => isWithin(hit, fastestOpenMs)),
  },
  {
    verdict: 'machine',
    reason: 'an image proxy does not click',
    fits: hit => hit.kind === 'click' && mailProgramOf(shortAgent(hit))?.isProxy === true,
  },
  {
    verdict: 'human',
    reason: 'opened through the image proxy of a mail provider',
    fits: isOpen(hit => mailProgramOf(shortAgent(hit))?.isProxy === true),
  },
  {
    verdict: 'human',
    reason: 'opened in a mail program',
    fits: isOpen(hit => mailProgramOf(shortAgent(hit)) !== undefined),
  },
  {
    verdict: 'machine',
    reason: 'calls itself a program (bot, crawler, library)',
    fits: hit => isbot(shortAgent(hit)),
  },
]

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

/** `Sec-Purpose: prefetch;prerender`, `Purpose: prefetch`, `X-Purpose: preview`, `X-Moz: prefetch`. */
function isPrefetch({ headers = {} }: Hit): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some(name => {
    const value = headers[name]
    return value !== undefined && /\b(?:prefetch|prerender|preview)\b/i.test(String(value))
  })
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
    reason: `security filter (${name})`,
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
    reason: `network of a security filter (${name})`,
    fits: ({ ip }) => isInNetwork(network, ip),
  }))
}
