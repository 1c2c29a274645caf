import { type ReplyClass, TEXT_RULES } from './reply-rules.ts'

/** Where in the conversation a reply came. */
export type SmtpPhase =
  | 'connect'
  | 'greeting'
  | 'ehlo'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'message'

export interface ClassifiableReply {
  code: number | null
  enhanced: string | null
  text: string
  phase?: SmtpPhase
}

/** What a reply means for the message and for the recipient. */
export interface ReplyVerdict {
  /** `unknown`: nobody can say whether the receiver has the message. */
  outcome: 'sent' | 'deferred' | 'rejected' | 'unknown'
  class: ReplyClass
  /** True where the address itself is bad for good, so that it must not be written to again. */
  hard: boolean
}

/**
 * Decides what a reply means: words first, because receivers reuse codes, then the enhanced code (RFC 3463), then the
 * reply code and the phase.
 */
export function classifyReply(reply: ClassifiableReply): ReplyVerdict {
  const outcome = outcomeOf(reply)
  if (outcome === 'sent') return { outcome, class: 'other', hard: false }
  const found = classOf(reply)
  const hard = outcome === 'rejected' && (found === 'bad-mailbox' || found === 'bad-domain')
  return { outcome, class: found, hard }
}

function outcomeOf({ code, enhanced }: ClassifiableReply): ReplyVerdict['outcome'] {
  const kind = code === null ? enhanced?.[0] : String(code)[0]
  if (kind === '2') return 'sent'
  if (kind === '4') return 'deferred'
  return kind === '5' ? 'rejected' : 'unknown'
}

function classOf(reply: ClassifiableReply): ReplyClass {
  return classifyWords(reply.text) ?? classifyCodes(reply)
}

/** The class the words of a reply or report stand for; null where they say nothing known. */
export function classifyWords(text: string): ReplyClass | null {
  for (const [name, words] of TEXT_RULES) if (words.test(text)) return name
  return null
}

/** The class the codes alone stand for. */
export function classifyCodes({ code, enhanced, phase }: Omit<ClassifiableReply, 'text'>): ReplyClass {
  return ENHANCED[enhanced?.slice(2) ?? ''] ?? (code === null ? 'other' : classOfCode(code, phase))
}

/** Subject and detail of RFC 3463 and its registry, without the first digit. */
const ENHANCED: Readonly<Record<string, ReplyClass>> = {
  '1.0': 'bad-mailbox',
  '1.1': 'bad-mailbox',
  '1.2': 'bad-domain',
  '1.3': 'bad-mailbox',
  '1.4': 'bad-mailbox',
  '1.6': 'bad-mailbox',
  '1.7': 'policy',
  '1.8': 'policy',
  '1.10': 'bad-domain',
  '2.0': 'filtered',
  '2.1': 'inactive-mailbox',
  '2.2': 'quota',
  '2.3': 'content',
  '2.4': 'system',
  '3.0': 'system',
  '3.1': 'quota',
  '3.2': 'bad-domain',
  '3.3': 'system',
  '3.4': 'content',
  '3.5': 'system',
  '4.0': 'connection',
  '4.1': 'connection',
  '4.2': 'connection',
  '4.3': 'system',
  '4.4': 'bad-domain',
  '4.5': 'rate',
  '4.6': 'system',
  '4.7': 'connection',
  '5.1': 'system',
  '5.2': 'system',
  '5.3': 'rate',
  '5.4': 'system',
  '6.0': 'content',
  '6.1': 'content',
  '6.2': 'content',
  '6.3': 'content',
  '7.0': 'policy',
  '7.1': 'policy',
  '7.2': 'policy',
  '7.20': 'reputation',
  '7.21': 'reputation',
  '7.22': 'reputation',
  '7.23': 'reputation',
  '7.24': 'reputation',
  '7.25': 'reputation',
  '7.26': 'reputation',
  '7.27': 'policy',
  '7.28': 'rate',
}

function classOfCode(code: number, phase: SmtpPhase | undefined): ReplyClass {
  if (code === 421) return phase === 'greeting' || phase === 'connect' ? 'rate' : 'connection'
  if (code === 450 || code === 550 || code === 551) return phase === 'rcpt' ? 'bad-mailbox' : 'policy'
  if (code === 452 || code === 552) return 'quota'
  if (code === 521 || code === 556) return 'bad-domain'
  if (code === 451 || code === 454) return 'system'
  if (code >= 500 && code <= 504) return 'system'
  return code === 553 || code === 554 ? 'policy' : 'other'
}
