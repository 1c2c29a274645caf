import { draw } from './choose-fate.ts'
import type { ImageProxy } from './provider-profile.ts'

/** A program that fetches images or follows links. */
export interface Agent {
  /** Name in the event list. */
  name: string
  userAgent: string
  /** First octets of its IP addresses, for X-Forwarded-For: real networks of the proxies, otherwise RFC 5737. */
  network: string
}

/** All programs that act on messages in the testbed, by the key used in plans and events. */
export const AGENTS = {
  'chrome-windows': {
    name: 'Chrome on Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    network: '198.51.100',
  },
  'firefox-windows': {
    name: 'Firefox on Windows',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    network: '198.51.100',
  },
  'safari-mac': {
    name: 'Safari on Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    network: '203.0.113',
  },
  thunderbird: {
    name: 'Thunderbird',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.5.0',
    network: '203.0.113',
  },
  'outlook-windows': {
    name: 'Outlook on Windows',
    userAgent:
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Trident/7.0; .NET4.0C; .NET4.0E; Microsoft Outlook 16.0.17928; ms-office; MSOffice 16)',
    network: '198.51.100',
  },
  'mail-iphone': {
    name: 'Mail on iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    network: '203.0.113',
  },
  'safari-iphone': {
    name: 'Safari on iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    network: '203.0.113',
  },
  'chrome-android': {
    name: 'Chrome on Android',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    network: '198.51.100',
  },
  'google-proxy': {
    name: 'Google image proxy',
    userAgent: 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    network: '66.249.84',
  },
  'yahoo-proxy': {
    name: 'Yahoo image proxy',
    userAgent: 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    network: '87.248.118',
  },
  'apple-mpp': {
    name: 'Apple Mail Privacy Protection',
    userAgent: 'Mozilla/5.0',
    network: '17.58.97',
  },
  'gateway-scanner': {
    name: 'Security gateway',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.0.0 Safari/537.36',
    network: '192.0.2',
  },
  'barracuda-scanner': {
    name: 'Barracuda link protection',
    userAgent: 'BarracudaCentral/1.0 (link protection)',
    network: '64.235.144',
  },
  server: {
    name: 'Mail server',
    userAgent: 'Mozilla/5.0 (compatible; one-click unsubscribe)',
    network: '192.0.2',
  },
} as const satisfies Record<string, Agent>

export type AgentKey = keyof typeof AGENTS

/** The reader of a mailbox, with the same programs for every message. */
export interface Reader {
  /** Loads the images; `apple-mpp` has loaded them before anyone reads. */
  opens: AgentKey
  clicks: AgentKey
}

export function chooseReader(address: string, seed: string, proxy: ImageProxy | null): Reader {
  const chance = draw(address, seed, 'reader')
  if (proxy === 'apple-mpp')
    return { opens: 'mail-iphone', clicks: chance < 0.7 ? 'safari-iphone' : 'safari-mac' }
  const [opens, clicks] = READERS[Math.floor(chance * READERS.length)] ?? ['chrome-windows', 'chrome-windows']
  if (proxy === 'google') return { opens: 'google-proxy', clicks }
  if (proxy === 'yahoo') return { opens: 'yahoo-proxy', clicks }
  return { opens, clicks }
}

const READERS: readonly (readonly [AgentKey, AgentKey])[] = [
  ['chrome-windows', 'chrome-windows'],
  ['firefox-windows', 'firefox-windows'],
  ['outlook-windows', 'chrome-windows'],
  ['thunderbird', 'firefox-windows'],
  ['safari-mac', 'safari-mac'],
  ['mail-iphone', 'safari-iphone'],
  ['mail-iphone', 'safari-iphone'],
  ['chrome-android', 'chrome-android'],
]

export function isAgentKey(key: string): key is AgentKey {
  return Object.hasOwn(AGENTS, key)
}

/** Returns the agent's IP address, the same for the same mailbox. */
export function agentAddress(agent: Agent, mailbox: string): string {
  return `${agent.network}.${1 + Math.floor(draw(mailbox, agent.network, 'address') * 250)}`
}
