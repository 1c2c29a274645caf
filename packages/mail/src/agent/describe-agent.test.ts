import { describe, expect, it } from 'vitest'
import { type Agent, describeAgent } from './describe-agent.ts'

describe('describeAgent', () => {
  it.each<[userAgent: string, agent: Agent]>([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      { device: 'desktop', os: 'Windows', client: 'Chrome' },
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
      { device: 'mobile', os: 'iOS', client: 'Apple Mail' },
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
      { device: 'desktop', os: 'macOS', client: 'Apple Mail' },
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      { device: 'tablet', os: 'iOS', client: 'Safari' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      { device: 'mobile', os: 'Android', client: 'Chrome' },
    ],
    [
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.14326; ms-office; MSOffice 16)',
      { device: 'desktop', os: 'Windows', client: 'Outlook' },
    ],
    ['Outlook-iOS/723.4027091.prod.iphone (4.28.0)', { device: 'mobile', os: 'iOS', client: 'Outlook' }],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.10.1',
      { device: 'desktop', os: 'Linux', client: 'Thunderbird' },
    ],
    [
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      { device: 'other', os: 'unknown', client: 'Gmail' },
    ],
    [
      'Dalvik/2.1.0 (Linux; U; Android 13; SM-G991B Build/TP1A)',
      { device: 'mobile', os: 'Android', client: 'Android mail app' },
    ],
    [
      'MacOutlook/16.46.21021202 (Intelx64 Mac OS X 11.2.2 (Build 20D80))',
      { device: 'desktop', os: 'macOS', client: 'Outlook' },
    ],
    [
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.2; Trident/7.0; Windows Live Mail 16.4.3528)',
      { device: 'desktop', os: 'Windows', client: 'Windows Live Mail' },
    ],
    [
      'Outlook-Express/7.0 (MSIE 7.0; Windows NT 6.1)',
      { device: 'desktop', os: 'Windows', client: 'Outlook Express' },
    ],
    ['Postbox 1.0b14 (Windows/2009072715)', { device: 'desktop', os: 'Windows', client: 'Postbox' }],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) BlueMail/0.10.31 Chrome/61.0.3163.100 Electron/2.0.18 Safari/537.36',
      { device: 'desktop', os: 'Windows', client: 'BlueMail' },
    ],
    ['NaverMailApp/2.2.2 (Android 10; SM-G986N)', { device: 'mobile', os: 'Android', client: 'Naver' }],
    [
      'YahooMobileMail/1.0 (Android Mail; 1.4.6) (crespo;samsung;Nexus S;4.1.2/JZO54K)',
      { device: 'mobile', os: 'Android', client: 'Yahoo Mail' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 9; BRAVIA 4K GB ATV3) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0.4472.114 Safari/537.36',
      { device: 'other', os: 'Android', client: 'Chrome' },
    ],
    [
      'Dalvik/2.1.0 (Linux; U; Android 10; Android TV Build/QTG3.200305.006.A1)',
      { device: 'other', os: 'Android', client: 'Android mail app' },
    ],
    ['Mozilla/5.0', { device: 'other', os: 'unknown', client: 'Apple Mail' }],
    ['', { device: 'other', os: 'unknown', client: 'unknown' }],
    ['\u0000<script>', { device: 'other', os: 'unknown', client: 'unknown' }],
  ])('%s', (userAgent, agent) => {
    expect(describeAgent(userAgent)).toEqual(agent)
    expect(describeAgent(userAgent)).toEqual(agent)
  })

  it.each([
    [
      'Android without Mobile',
      'Mozilla/5.0 (Linux; Android 13; TB360ZU) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Safari/537.36',
    ],
    [
      'Silk',
      'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.1.1 like Chrome/120.0.0.0 Safari/537.36',
    ],
    ['an app on a Samsung tablet', 'Dalvik/2.1.0 (Linux; U; Android 13; SM-X706B Build/TP1A)'],
    [
      'a web view of an app',
      'Mozilla/5.0 (Linux; Android 13; X1; wv) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 BlueMail/1.9',
    ],
    ['Outlook on an iPad', 'Outlook-iOS/723.4027091.prod.ipad (4.28.0)'],
  ])('%s is a tablet', (_, userAgent) => {
    expect(describeAgent(userAgent).device).toBe('tablet')
  })

  it.each([
    'Mozilla/5.0 (Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/76.0 TV Safari/537.36',
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/68.0.3440.106 Safari/537.36 WebAppManager',
    'Mozilla/5.0 (Linux; Android 7.1.2; AFTMM Build/NS6265; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/70.0 Mobile Safari/537.36',
    'AppleTV11,1/11.1',
    'HbbTV/1.1.1 (;;;;;) Maple;2011',
    'BrightSign/7.0.60 (XT1143) Mozilla/5.0 (Unknown; Linux arm) AppleWebKit/537.36 (KHTML, like Gecko) QtWebEngine/5.6.0 Chrome/45.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Linaro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0 Safari/537.36 OMI/4.21 Model/Vizio-MTKS Vizio SmartCast',
  ])('a television is not a desktop: %s', userAgent => {
    expect(describeAgent(userAgent).device).toBe('other')
  })

  it.each([
    'Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0',
    'Mozilla/5.0 (Linux; Tizen 2.4; SAMSUNG SM-Z130H) AppleWebKit/537.3 (KHTML, like Gecko) Version/2.4 Mobile Safari/537.3',
  ])('%s is a phone', userAgent => {
    expect(describeAgent(userAgent).device).toBe('mobile')
  })

  it('accepts user agents of any length', () => {
    expect(describeAgent('a'.repeat(1_000_000)).device).toBe('other')
  })
})
