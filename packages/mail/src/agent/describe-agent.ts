import * as bowser from 'bowser'
import { type Device, type MailProgram, mailProgramOf } from './mail-programs.ts'
import { isTablet, isTelevision, platformOf } from './platform.ts'

/** Device, system and program named by a user agent; `other` and `unknown` if it does not name them. */
export interface Agent {
  device: Device
  /** `Windows`, `macOS`, `iOS`, `Android` … */
  os: string
  /** Mail program or browser: `Outlook`, `Apple Mail`, `Gmail`, `Chrome` … */
  client: string
}

/**
 * Describes the program behind a tracking event. Image proxies (Gmail, Yahoo) hide the reader's device, which is then
 * `other`. Results are cached, since a few thousand user agents cause nearly all events.
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

/** Real user agents are shorter. The limit bounds the work on malicious ones. */
const maxLength = 512

const unknown = 'unknown'

function describe(text: string): Agent {
  if (text.trim() === '') return { device: 'other', os: unknown, client: unknown }
  // User agent of Apple Mail Privacy Protection; no other common program sends it.
  if (text === 'Mozilla/5.0') return { device: 'other', os: unknown, client: 'Apple Mail' }
  const program = mailProgramOf(text)
  if (program?.isProxy) return { device: 'other', os: unknown, client: program.name }
  const parsed = bowser.parse(text)
  const platform = platformOf(text)
  return {
    device: deviceOf(text, program, parsed.platform.type) ?? platform?.device ?? 'other',
    os: parsed.os.name ?? program?.os ?? platform?.os ?? unknown,
    client: program?.name ?? (parsed.browser.name || unknown),
  }
}

function deviceOf(
  text: string,
  program: MailProgram | undefined,
  type: string | undefined,
): Device | undefined {
  if (isTelevision(text) || type === 'tv') return 'other'
  if (program?.device === 'mobile' && isTablet(text)) return 'tablet'
  if (program?.device !== undefined) return program.device
  // Apps name the phone's system and no browser, so the browser table would only guess.
  if (program?.isApp) return undefined
  return type === 'desktop' || type === 'mobile' || type === 'tablet' ? type : undefined
}
