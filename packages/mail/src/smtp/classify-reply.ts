import { KNOWN_REPLIES } from './provider-replies.ts'
import { PLAIN_WORDS, type ReplyClass, type ReplyRule, VAGUE_WORDS } from './reply-rules.ts'
import { WORDS_ABROAD } from './localized-replies.ts'

/** Phase of the SMTP session that a reply belongs to. */
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

/** Meaning of a reply for the message and the recipient. */
export interface ReplyVerdict {
  /** `unknown`: it is not known whether the server accepted the message. */
  outcome: 'sent' | 'deferred' | 'rejected' | 'unknown'
  class: ReplyClass
  /** Hard bounce: the address is permanently invalid and must not be used again. */
  hard: boolean
}

/** Classifies a reply. */
export function classifyReply({ code, enhanced, text, phase }: ClassifiableReply): ReplyVerdict {
  const outcome = outcomeOf(code, enhanced)
  if (outcome === 'sent') return { outcome, class: 'other', hard: false }
  const { class: found } = classifyReason({ code, enhanced, texts: [text], phase })
  return { outcome, class: found, hard: outcome === 'rejected' && isBadAddress(found) }
}

/** True for classes about the address rather than the sender or the message. */
export function isBadAddress(found: ReplyClass): boolean {
  return found === 'bad-mailbox' || found === 'bad-domain'
}

export interface Reason {
  code: number | null
  enhanced: string | null
  /** Texts, closest to the reply first. */
  texts: readonly string[]
  phase?: SmtpPhase | undefined
}

/** How the class was found: `vague` words alone do not make a hard bounce. */
export type Certainty = 'known' | 'plain' | 'code' | 'vague'

/**
 * Finds the class of a rejection. Order: known replies and unambiguous enhanced codes; plain words (receivers use the
 * other codes for anything); the enhanced code; vague words; the phase; the reply code.
 */
export function classifyReason({ code, enhanced, texts, phase }: Reason): {
  class: ReplyClass
  certainty: Certainty
} {
  const detail = enhanced?.slice(2) ?? ''
  const replyTexts = texts.map(text => withoutNames(text))
  const known = findWords(replyTexts, KNOWN_REPLIES) ?? EXACT_CODES[detail] ?? byMicrosoftCode(detail)
  if (known !== undefined) return { class: known, certainty: 'known' }
  const plain = findWords(replyTexts, PLAIN_WORDS)
  const abroad = findWords(replyTexts, WORDS_ABROAD)
  const words = plain ?? abroad
  if (words !== undefined)
    return {
      class: phase === 'message' && saysMore(words, replyTexts) ? words : inPhase(words, detail, phase),
      certainty: isAtHome(words, abroad) ? 'known' : 'plain',
    }
  const usual = USUAL_CODES[enhanced ?? ''] ?? USUAL_CODES[detail]
  if (usual !== undefined) return { class: inPhase(usual, detail, phase), certainty: 'code' }
  const hint = findWords(replyTexts, VAGUE_WORDS) ?? PHASES[phase ?? 'rcpt'] ?? byReplyCode(code)
  // RFC 3463, 3.8: permanent x.7.x is about security or policy, whatever the vague words say.
  const vague = enhanced?.startsWith('5.7.') && /^(?:system|connection|other)$/.test(hint) ? 'policy' : hint
  return { class: inPhase(vague, detail, phase), certainty: 'vague' }
}

/** True if a reply says more about a mailbox than the phrases that filters copied from sendmail and qmail. */
function saysMore(found: ReplyClass, texts: readonly string[]): boolean {
  return (
    found === 'bad-mailbox' && !/\buser[ _-]?unknown|\b(?:unknown|no such)[ _-]?user\b/i.test(texts.join(' '))
  )
}

/**
 * A reply about a mailbox in the language of its owner comes from the mailbox server, not from a filter in front of
 * it.
 */
function isAtHome(found: ReplyClass, abroad: ReplyClass | undefined): boolean {
  return found === 'bad-mailbox' && abroad === found
}

/** Limits the class to what the phase allows. */
function inPhase(found: ReplyClass, detail: string, phase: SmtpPhase | undefined): ReplyClass {
  // RFC 3463, 3.8: security or policy; the unknown domain is the sender's or one in the message.
  if (found === 'bad-domain' && /^7\.[01]$/.test(detail)) return 'policy'
  if (phase === undefined || phase === 'rcpt') return found
  const isAboutRecipient = /^(?:bad-mailbox|bad-domain|inactive-mailbox|filtered)$/.test(found)
  if (phase === 'greeting' || phase === 'ehlo') {
    // A host that accepts no mail says so to everybody; a rejected command does not concern the sender.
    if ((found === 'bad-domain' && detail === '3.2') || (found === 'system' && /^5\.[124]$/.test(detail)))
      return found
    return isAboutRecipient || /^(?:policy|system|connection|other)$/.test(found) ? 'reputation' : found
  }
  if (phase === 'mail') return isAboutRecipient ? 'policy' : found
  // A reply to RCPT is trusted about an unknown user. After DATA it comes from a filter.
  return found === 'bad-mailbox' && phase === 'message' && !detail.startsWith('1.') ? 'filtered' : found
}

function outcomeOf(code: number | null, enhanced: string | null): ReplyVerdict['outcome'] {
  const kind = code === null ? enhanced?.[0] : String(code)[0]
  if (kind === '2') return 'sent'
  if (kind === '4') return 'deferred'
  return kind === '5' ? 'rejected' : 'unknown'
}

/** Addresses may contain any word; they are removed before matching. */
function withoutNames(text: string): string {
  return text.replaceAll(NAMES, ' ').replaceAll(/\s+/g, ' ')
}

const NAMES =
  /<?[^\s<>@"(),;:\u3000-\u303f\uff00-\uff0f]{1,64}@[^\s<>@"(),;\u3000-\u303f\uff00-\uff0f]{1,255}>?/g

function findWords(texts: readonly string[], rules: readonly ReplyRule[]): ReplyClass | undefined {
  for (const text of texts) {
    for (const [name, words] of rules) if (words.test(text)) return name
  }
  return undefined
}

/** Details of RFC 3463 and its registry that receivers use unambiguously. */
const EXACT_CODES: Readonly<Record<string, ReplyClass>> = {
  '1.6': 'bad-mailbox',
  '1.8': 'policy',
  '1.10': 'bad-domain',
  '2.2': 'quota',
  '2.3': 'rate',
  '3.4': 'content',
  '4.6': 'connection',
  '7.20': 'reputation',
  '7.21': 'reputation',
  '7.22': 'reputation',
  '7.23': 'reputation',
  '7.24': 'reputation',
  '7.25': 'reputation',
  '7.26': 'reputation',
  '7.28': 'rate',
  '7.29': 'policy',
  '7.30': 'reputation',
}

/** Codes of Exchange Online, as documented by Microsoft; their texts are mostly written by customers. */
function byMicrosoftCode(detail: string): ReplyClass | undefined {
  return MICROSOFT_CODES.find(([, codes]) => codes.test(detail))?.[0]
}

const MICROSOFT_CODES: readonly (readonly [ReplyClass, RegExp])[] = [
  // Banned sender addresses, blocked networks, customer block lists, HELO names.
  ['reputation', /^7\.(?:6[0-4]\d|50[69]|511|513|515|708)$/],
  ['spam', /^7\.(?:50[1-4]|350)$/],
  // Rate limits of the mailbox, the sending tenant and the network.
  ['rate', /^(?:1\.90|2\.12[12]|7\.508|7\.705)$/],
  ['policy', /^(?:1\.20|7\.(?:3|12|5[147]|6[034]|12\d|13\d|32[1-5]|512|520|703|750))$/],
  ['bad-domain', /^(?:4\.310|7\.510)$/],
  ['connection', /^4\.(?:14|300|31[2-9])$/],
  ['content', /^6\.11$/],
]

/** Usual meaning of the other details; one differs between permanent and temporary. */
const USUAL_CODES: Readonly<Record<string, ReplyClass>> = {
  '5.4.1': 'policy',
  '1.0': 'bad-mailbox',
  '1.1': 'bad-mailbox',
  '1.2': 'bad-domain',
  '1.3': 'bad-mailbox',
  '1.4': 'bad-mailbox',
  '1.7': 'policy',
  '2.0': 'filtered',
  '2.1': 'filtered',
  '2.2': 'quota',
  '2.4': 'system',
  '3.0': 'system',
  '3.1': 'quota',
  '3.2': 'bad-domain',
  '3.3': 'system',
  '3.5': 'system',
  '4.0': 'connection',
  '4.1': 'connection',
  '4.2': 'connection',
  '4.3': 'system',
  '4.4': 'bad-domain',
  '4.5': 'rate',
  '4.7': 'connection',
  '5.1': 'system',
  '5.2': 'system',
  '5.3': 'rate',
  '5.4': 'system',
  '6.0': 'content',
  '6.1': 'content',
  '6.2': 'content',
  '6.3': 'content',
  '6.5': 'content',
  '6.7': 'content',
  '6.9': 'content',
  '7.9': 'policy',
  '7.27': 'policy',
}

/** Before any command only the client host can be meant; at MAIL only the sender. */
const PHASES: Partial<Record<SmtpPhase, ReplyClass>> = {
  connect: 'connection',
  greeting: 'reputation',
  ehlo: 'reputation',
  tls: 'connection',
  auth: 'policy',
  mail: 'policy',
}

function byReplyCode(code: number | null): ReplyClass {
  if (code === null) return 'other'
  if (code === 421) return 'connection'
  if (code === 452 || code === 552) return 'quota'
  if (code === 521 || code === 556) return 'bad-domain'
  if (code === 451 || code === 454 || (code >= 500 && code <= 504)) return 'system'
  return code === 554 ? 'policy' : 'other'
}
