import * as bowser from 'bowser'
import { type Device, mailProgramOf } from './mail-programs.ts'

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
  return {
    device: program?.device ?? deviceOf(parsed.platform.type),
    os: parsed.os.name ?? unknown,
    client: program?.name ?? (parsed.browser.name || unknown),
  }
}

function deviceOf(type: string | undefined): Device {
  if (type === 'desktop' || type === 'mobile' || type === 'tablet') return type
  return 'other'
}
