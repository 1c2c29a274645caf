import * as bowser from 'bowser'
import { type Device, type MailProgram, mailProgramOf } from './mail-programs.ts'
import { isTablet, isTelevision, platformOf } from './platform.ts'

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
  // What Apple's privacy protection calls itself, and nobody else of weight.
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
  // Apps name a phone's system and no browser; what a table of browsers makes of them is a guess.
  if (program?.isApp) return undefined
  return type === 'desktop' || type === 'mobile' || type === 'tablet' ? type : undefined
}
