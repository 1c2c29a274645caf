import { type Certainty, classifyReason, isBadAddress, type SmtpPhase } from '../smtp/classify-reply.ts'
import { parseQuotedReply, type QuotedReply } from '../smtp/reply.ts'
import type { ReplyClass } from '../smtp/reply-rules.ts'
import type { InboundRecipient } from './inbound-mail.ts'
import type { RecipientReport } from './report-fields.ts'

const MAX_WORDS = 8_000
const MAX_DIAGNOSTIC = 1_000

/**
 * Combines the fields and the prose of a report for one recipient.
 * @param block the prose about this recipient, or ''
 * @param text the whole prose if it can only be about this recipient, or ''
 */
export function describeRecipient(fields: RecipientReport, block: string, text: string): InboundRecipient {
  // If fields and block are both present, the rest of the report is not used.
  const rest = fields.diagnostic !== '' && block !== '' ? '' : text
  const parts = [fields.diagnostic, block, rest]
    .map(part => withoutPhrases(part))
    .filter(part => part.trim() !== '')
  const replies = parts.map(part => parseQuotedReply(part.slice(0, MAX_WORDS)))
  const isProse = fields.action === '' && fields.status === ''
  const quoted = replies.find(reply => isRefusal(reply) || (!isProse && isAnswer(reply)))
  const reply = quoted?.code ?? null
  const status = bestStatus(fields.status, quoted?.enhanced ?? null)
  const action = toAction(fields.action, status, reply)
  const found = classOf(fields, {
    status,
    reply,
    quoted: quoted?.enhanced ?? null,
    action,
    parts,
    replies: parts.map(part => replyIn(part.slice(0, MAX_WORDS))),
    texts: replies.map(({ text: words }) => words),
  })
  const isPermanent = action === 'failed' && (status?.[0] ?? String(reply ?? '')[0]) !== '4'
  return {
    address: fields.address,
    status,
    reply,
    diagnostic: (replies[0]?.text ?? '').slice(0, MAX_DIAGNOSTIC),
    hard: isPermanent && isBadAddress(found),
    class: found,
    action,
  }
}

function isAnswer({ code, enhanced }: QuotedReply): boolean {
  return code !== null || enhanced !== null
}

/** Other lines of a transcript are successful replies. */
function isRefusal({ code, enhanced }: QuotedReply): boolean {
  return /^[45]/.test(String(code ?? enhanced))
}

/** Removes phrases that every report of a system contains. */
function withoutPhrases(part: string): string {
  return part.replaceAll(PHRASES, ' ')
}

const PHRASES =
  /this message was created automatically by mail delivery software|please include this problem report|this is a permanent error|the following address(?:\(es\)|es) (?:failed|had permanent fatal errors)|that your message could not|microsoft exchange will not try to redeliver|if the problem continues|could not be delivered for more than [\d.]{1,6} hours?(?:\(s\))?|it will be retried until it is [\d.]{1,6} days?(?:\(s\))? old|will keep trying until message is [\d.]{1,6} days? old|see technical details below/gi

interface Evidence {
  status: string | null
  reply: number | null
  /** Enhanced status code in the quoted reply. */
  quoted: string | null
  action: InboundRecipient['action']
  parts: readonly string[]
  /** The quoted replies alone, and with the surrounding text. */
  replies: readonly string[]
  texts: readonly string[]
}

function classOf(fields: RecipientReport, evidence: Evidence): ReplyClass {
  const { status, reply, action, parts } = evidence
  if (action === 'delivered') return 'other'
  const phase = phaseIn(parts)
  const texts = [...evidence.replies, ...evidence.texts]
  const whole = classifyReason({ code: reply, enhanced: status, texts, phase })
  const found = whole.certainty === 'known' ? whole : (byReplyAlone(evidence, phase) ?? whole)
  const category = POWERMTA_CATEGORIES[fields.category]
  if (category !== undefined && found.certainty !== 'known') return category
  if (fields.isFromInside && found.class === 'bad-mailbox') return 'filtered'
  if (found.certainty === 'known') return found.class
  if (action === 'delayed' && found.class === 'other') return 'connection'
  return downgradeUncertain(found, { reply, status, phase, text: texts.join(' ') })
}

interface Found {
  class: ReplyClass
  certainty: Certainty
}

/**
 * Classifies by the quoted reply without the reporting server's text, if the reply is sufficient: with an enhanced
 * code, any class above a vague one; without, plain words.
 */
function byReplyAlone(
  { reply, status, quoted, replies }: Evidence,
  phase: SmtpPhase | undefined,
): Found | undefined {
  const own = replies.filter(words => WORDS.test(words) && (quoted === null || words.includes(quoted)))
  if (own.length === 0) return undefined
  const found = classifyReason({ code: reply, enhanced: quoted ?? status, texts: own, phase })
  const isEnough =
    quoted === null ? found.certainty === 'plain' || found.certainty === 'known' : found.certainty !== 'vague'
  return isEnough ? found : undefined
}

const WORDS = /\p{L}{3}/u

/**
 * The quoted reply without the text of the reporting system: from the code to the end of its paragraph, or to the
 * name of the command it answers. Below, a gateway may write its own text about spam and block lists.
 */
function replyIn(part: string): string {
  const start = part.search(/(?<![\d.])[45][0-7]\d[ -]/)
  if (start < 0) return ''
  const reply = part.slice(start, start + 400)
  const end = reply.search(REPLY_END)
  return parseQuotedReply(end < 0 ? reply : reply.slice(0, end)).text
}

const REPLY_END = /\n[ \t>]*\n|\(in\s+reply\s+to\b/i

/** PowerMTA's classes of a reply that it received itself (bounceCat). */
const POWERMTA_CATEGORIES: Readonly<Record<string, ReplyClass>> = {
  'bad-mailbox': 'bad-mailbox',
  'bad-domain': 'bad-domain',
  'inactive-mailbox': 'inactive-mailbox',
  'quota-issues': 'quota',
  'spam-related': 'spam',
  'virus-related': 'spam',
  'content-related': 'content',
  'invalid-sender': 'policy',
  'relaying-issues': 'policy',
  'bad-connection': 'connection',
  'no-answer-from-host': 'connection',
  'message-expired': 'connection',
}

/** The more specific status: many systems report 5.0.0 and quote a reply with a more specific code. */
function bestStatus(reported: string, quoted: string | null): string | null {
  if (reported === '') return quoted
  return quoted !== null && reported.endsWith('.0.0') ? quoted : reported
}

function toAction(action: string, status: string | null, code: number | null): InboundRecipient['action'] {
  if (action === 'failed' || action === 'delayed') return action
  if (/^(?:delivered|relayed|expanded)$/.test(action)) return 'delivered'
  return (status?.[0] ?? String(code ?? '')[0]) === '2' ? 'delivered' : 'failed'
}

/** Command that was answered, in the words that mail systems use. */
const PHASES: readonly (readonly [SmtpPhase, RegExp])[] = [
  [
    'message',
    /in\s+reply\s+to\s+(?:end\s+of\s+)?data|after\s+(?:end\s+of\s+data|data|the data)|smtp\s+command\s+data|>>>\s*(?:data|\.)|for (?:text|data) command|\(data\)|data command|failed after I sent the message|\(state 1[78]\)/i,
  ],
  [
    'rcpt',
    /in\s+reply\s+to\s+rcpt|after\s+rcpt|our\s+rcpt|(?:>>>|-->|sent:)\s*rcpt|\[rcpt_to\]|smtp[: ](?:command )?rcpt|does not like recipient|for rcpt command|\(rcpt|\(state 1[34]\)/i,
  ],
  [
    'mail',
    /in\s+reply\s+to\s+mail\s+from|after\s+mail\s+from|our\s+mail\s+from|(?:>>>|-->)\s*mail\s+from|\[mail_from\]|smtp[: ](?:command )?mail\b|does not like sender|sender was rejected|for mail command|\(state [89]\)/i,
  ],
  ['ehlo', />>>\s*(?:ehlo|helo)|in\s+reply\s+to\s+(?:ehlo|helo)|after\s+(?:ehlo|helo)|my name was rejected/i],
  ['greeting', /after\s+initial\s+connection|refused to talk|while connecting|initial greeting/i],
]

function phaseIn(parts: readonly string[]): SmtpPhase | undefined {
  for (const part of parts.toReversed()) {
    for (const [phase, words] of PHASES) if (words.test(part)) return phase
  }
  return undefined
}

interface Doubtful {
  reply: number | null
  status: string | null
  phase: SmtpPhase | undefined
  text: string
}

/**
 * Downgrades classes that the report does not prove. A domain that cannot be resolved is a temporary network problem.
 * A user is unknown only if a code says so (x.1.x), if RCPT was answered, or if the reply begins with the address;
 * after DATA, filters use the same words.
 */
function downgradeUncertain(
  { class: found, certainty }: Found,
  { reply, status, phase, text }: Doubtful,
): ReplyClass {
  if (found === 'bad-domain' && status?.startsWith('4') && !/null mx|no mx/i.test(text)) return 'connection'
  if (found === 'inactive-mailbox' && status?.endsWith('.1.1')) return 'bad-mailbox'
  if (found !== 'bad-mailbox' || phase === 'rcpt' || /^[45]\.1\./.test(status ?? '')) return found
  if (certainty === 'vague' || /^[45]\.2\./.test(status ?? '')) return 'filtered'
  // A specific class after the message was decided by the reply itself.
  const isBelieved =
    phase === 'message' || (phase === undefined && (!BORROWED.test(text) || ABOUT_ADDRESS.test(text)))
  return reply === null || isBelieved || ADDRESS_FIRST.test(text) ? found : 'filtered'
}

/** Phrases of replies to RCPT (RFC 5321, 4.2.2: "mailbox unavailable"). Filters write of users and accounts. */
const ABOUT_ADDRESS =
  /\b(?:invalid|illegal|no such|unknown) (?:recipient|mail ?box)\b|\bmail ?box (?:is )?(?:unavailable|not found|unknown)|destination address (?:was|is) unknown/i

/**
 * Phrases of sendmail that filters use for any rejection. A reply with more specific words comes from the mailbox
 * server.
 */
const BORROWED = /\buser[ _-]?unknown|unknown[ _-]?user\b/i

const ADDRESS_FIRST = /[45]\d\d[ :-]+(?:#?[45]\.\d+\.\d+ )?<?[^\s<>@:]+@[^\s<>@:]+>?\s*(?:\.\.\.|:|,)/
