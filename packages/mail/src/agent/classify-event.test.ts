import { describe, expect, it } from 'vitest'
import { type TrackedRequest, classifyEvent, type Verdict } from './classify-event.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const outlook =
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.14326; ms-office; MSOffice 16)'
const iphoneMail =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const gmail = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
const yahoo = 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'

const yahooApp = 'Yahoo%20Mail/49268 CFNetwork/1121.2.2 Darwin/19.3.0'

/** An address of no known network. */
const ELSEWHERE = '8.8.8.8'

const open: TrackedRequest = {
  kind: 'open',
  userAgent: chrome,
  ip: '203.0.113.9',
  msSinceSent: 60_000,
  method: 'GET',
}
const click: TrackedRequest = { ...open, kind: 'click' }

describe('classifyEvent', () => {
  it.each<[name: string, hit: TrackedRequest, verdict: Verdict, reason: string]>([
    ['a reader opens', open, 'human', 'reader'],
    ['a reader clicks', click, 'human', 'reader'],
    ['Outlook loads pictures', { ...open, userAgent: outlook }, 'human', 'mail_program'],
    ['an iPhone opens', { ...open, userAgent: iphoneMail }, 'human', 'mail_program'],
    [
      'a mail app that the bot list contains',
      { ...open, userAgent: 'K-9 Mail/6.4' },
      'human',
      'mail_program',
    ],
    ["Yahoo's app opens", { ...open, userAgent: yahooApp }, 'human', 'mail_program'],
    ["Yahoo's app clicks", { ...click, userAgent: yahooApp }, 'human', 'mail_program'],
    [
      "Naver's app clicks",
      { ...click, userAgent: 'NaverMailApp/2.2.2 (Android 10)' },
      'human',
      'mail_program',
    ],
    [
      'a browser with a McAfee add-on clicks',
      { ...click, userAgent: chrome.replace('x64', 'x64; McAfee') },
      'human',
      'reader',
    ],
    [
      'a McAfee gateway',
      { ...click, userAgent: 'Mozilla/4.0 (compatible; McAfee Web Gateway)' },
      'scanner',
      'filter_agent/Trellix',
    ],
    ['Gmail proxies an open', { ...open, userAgent: gmail, ip: '66.249.84.1' }, 'human', 'image_proxy'],
    ['Yahoo proxies an open', { ...open, userAgent: yahoo }, 'human', 'image_proxy'],
    ['a proxy clicks', { ...click, userAgent: gmail }, 'machine', 'proxy_click'],
    ['Apple prefetches', { ...open, userAgent: 'Mozilla/5.0', ip: '104.28.1.2' }, 'apple_mpp', 'mpp_agent'],
    [
      'Apple fetches right after delivery',
      { ...open, userAgent: 'Mozilla/5.0', msSinceSent: 10 },
      'apple_mpp',
      'mpp_agent',
    ],
    [
      'Apple fetches from its own network',
      { ...open, userAgent: iphoneMail, ip: '17.58.97.1' },
      'apple_mpp',
      'mpp_network',
    ],
    [
      'Apple fetches from its own network (IPv6)',
      { ...open, ip: '2620:149:a::1' },
      'apple_mpp',
      'mpp_network',
    ],
    [
      'a mail web view behind the relay opens',
      { ...open, userAgent: iphoneMail, ip: '146.75.200.7' },
      'apple_mpp',
      'mpp_relay',
    ],
    ['a browser behind the relay opens', { ...open, ip: '146.75.200.7' }, 'human', 'reader'],
    ["a person in Apple's network clicks", { ...click, ip: '17.58.97.1' }, 'human', 'reader'],
    ['a bare user agent clicks', { ...click, userAgent: 'Mozilla/5.0' }, 'machine', 'bare_agent'],
    ['no user agent', { ...open, userAgent: ' ' }, 'machine', 'no_agent'],
    ['HEAD', { ...click, method: 'HEAD' }, 'scanner', 'head'],
    ['OPTIONS', { ...click, method: 'OPTIONS' }, 'machine', 'method'],
    ['a browser prefetches', { ...click, isAhead: true }, 'prefetch', 'ahead'],
    [
      'one address clicks in five messages at once',
      { ...click, ip: ELSEWHERE, sameSecondMails: 5 },
      'scanner',
      'many_mails',
    ],
    [
      'one address opens ten messages at once',
      { ...open, ip: ELSEWHERE, sameSecondMails: 10 },
      'scanner',
      'many_mails',
    ],
    [
      'an office opens nine messages at once',
      { ...open, ip: ELSEWHERE, sameSecondMails: 9 },
      'human',
      'reader',
    ],
    [
      'an internal proxy opens for many recipients',
      { ...open, ip: '10.1.2.3', sameSecondMails: 50 },
      'human',
      'reader',
    ],
    [
      "Google's image proxy fetches for many recipients",
      { ...open, ip: '66.249.84.1', sameSecondMails: 50 },
      'human',
      'reader',
    ],
    [
      "Yahoo's image proxy fetches for many recipients",
      { ...open, userAgent: yahoo, sameSecondMails: 50 },
      'human',
      'image_proxy',
    ],
    [
      'Barracuda',
      { ...click, userAgent: 'Mozilla/5.0 (compatible; BarracudaCentral)' },
      'scanner',
      'filter_agent/Barracuda',
    ],
    [
      'Proofpoint from its network',
      { ...click, ip: '67.231.152.10' },
      'scanner',
      'filter_network/Proofpoint',
    ],
    ['Mimecast from its network', { ...open, ip: '207.211.30.5' }, 'scanner', 'filter_network/Mimecast'],
    [
      'Microsoft from its network',
      { ...click, ip: '::ffff:40.94.20.5' },
      'scanner',
      'filter_network/Microsoft',
    ],
    [
      'Microsoft Office checks a link',
      { ...click, userAgent: 'Microsoft Office Existence Discovery' },
      'scanner',
      'filter_agent/Microsoft',
    ],
    [
      'a messenger fetches a preview',
      { ...click, userAgent: 'facebookexternalhit/1.1' },
      'prefetch',
      'preview',
    ],
    ['three links within a second', { ...click, sameSecondClicks: 3 }, 'scanner', 'many_links'],
    ['two links within a second, long after delivery', { ...click, sameSecondClicks: 2 }, 'human', 'reader'],
    [
      'two links within a second, right after delivery',
      { ...click, sameSecondClicks: 2, msSinceSent: 9_000 },
      'scanner',
      'links_at_delivery',
    ],
    ['a click within two seconds of delivery', { ...click, msSinceSent: 900 }, 'scanner', 'fast_click'],
    ['an open within a second of delivery', { ...open, msSinceSent: 900 }, 'machine', 'fast_open'],
    ['an open before the acceptance was recorded', { ...open, msSinceSent: -5 }, 'machine', 'fast_open'],
    ['unknown delivery time', { ...click, msSinceSent: null }, 'human', 'reader'],
    ['a library', { ...click, userAgent: 'python-requests/2.31' }, 'machine', 'program'],
    [
      'a headless browser',
      { ...open, userAgent: chrome.replace('Chrome', 'HeadlessChrome') },
      'machine',
      'program',
    ],
    [
      'a crawler based on a mail app',
      {
        ...click,
        userAgent:
          'Mozilla/5.0 (Windows) Gecko/20050716 Thunderbird/1.0.6 - WebCrawler http://a.test/bot.html',
      },
      'machine',
      'program',
    ],
    ['a page testing service', { ...click, userAgent: `${chrome} GTmetrix` }, 'machine', 'program'],
    [
      'a crawler',
      { ...click, userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      'machine',
      'program',
    ],
  ])('%s', (_, hit, verdict, reason) => {
    const judgement = classifyEvent(hit)
    expect(judgement).toEqual({ verdict, reason })
  })

  it('accepts any input', () => {
    for (const text of ['', 'x'.repeat(100_000), '\u0000\r\n', '((((((((', '🦄'.repeat(500)]) {
      expect(
        classifyEvent({ ...click, userAgent: text, ip: text, method: text, isAhead: false }).reason,
      ).not.toBe('')
    }
  })
})
