import * as bowser from 'bowser'

export type Device = 'desktop' | 'mobile' | 'tablet' | 'other'

/** What a user agent says about the reader's machine; `other` and `unknown` where it says nothing. */
export interface Agent {
  device: Device
  /** `Windows`, `macOS`, `iOS`, `Android` … */
  os: string
  /** Mail program or browser: `Outlook`, `Apple Mail`, `Gmail`, `Chrome` … */
  client: string
}

/**
 * Describes the program behind a hit. Image proxies (Gmail, Yahoo) hide the reader's device: it is `other`, never
 * guessed. Answers are kept, since the same few thousand agents make nearly all hits.
 */
export function describeAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, maxLength)
  const known = described.get(text)
  if (known) return known
  const made = describe(text)
  if (described.size >= maxKept) described.clear()
  described.set(text, made)
  return made
}

const described = new Map<string, Agent>()
const maxKept = 5_000

/** Real agents are shorter than this; longer ones are attacks on whoever parses them. */
const maxLength = 512

const unknown = 'unknown'

function describe(text: string): Agent {
  if (text.trim() === '') return { device: 'other', os: unknown, client: unknown }
  const parsed = bowser.parse(text)
  const mailProgram = mailPrograms.find(program => program.pattern.test(text))
  return {
    device: mailProgram?.device ?? deviceOf(parsed.platform.type),
    os: mailProgram?.device === 'other' ? unknown : (parsed.os.name ?? unknown),
    client: mailProgram?.name ?? (parsed.browser.name || unknown),
  }
}

function deviceOf(type: string | undefined): Device {
  if (type === 'desktop' || type === 'mobile' || type === 'tablet') return type
  return 'other'
}

/** Mail programs that browsers' tables do not know. The first that fits counts. */
const mailPrograms: { pattern: RegExp; name: string; device?: Device }[] = [
  { pattern: /GoogleImageProxy/i, name: 'Gmail', device: 'other' },
  { pattern: /YahooMailProxy/i, name: 'Yahoo Mail', device: 'other' },
  { pattern: /^Mozilla\/5\.0$/, name: 'Apple Mail', device: 'other' },
  { pattern: /Outlook-iOS|Outlook-Android/i, name: 'Outlook', device: 'mobile' },
  { pattern: /Microsoft Outlook|MSOffice|ms-office|Outlook\//i, name: 'Outlook', device: 'desktop' },
  { pattern: /Thunderbird|Betterbird/i, name: 'Thunderbird' },
  { pattern: /Lotus-Notes|HCL-Notes/i, name: 'Notes', device: 'desktop' },
  { pattern: /AirMail|Airmail/, name: 'Airmail' },
  {
    pattern: /SamsungEmail|SamsungMail|com\.samsung\.android\.email/i,
    name: 'Samsung Email',
    device: 'mobile',
  },
  { pattern: /GMX Mail|WEB\.DE Mail/i, name: 'GMX/WEB.DE Mail', device: 'mobile' },
  // WebKit without a browser's name behind it is the view in which Apple Mail shows a mail.
  {
    pattern:
      /\((?:iPhone|iPad|iPod|Macintosh)[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/,
    name: 'Apple Mail',
  },
]
