import { headerOf, type MimeEntity, walk } from './mime-entity.ts'

/**
 * Decides whether a mail without report fields is a delivery report. It takes words that say a mail did not arrive and
 * an origin only mail systems have: `certain` where a mail system speaks for itself, `likely` where an automatic reply
 * could look the same.
 */
export function looksLikeReport(mail: MimeEntity, text: string, quoted: string): 'certain' | 'likely' | 'no' {
  if (mail.headers.has('x-failed-recipients') || isListRefusal(mail, text)) return 'certain'
  const from = headerOf(mail, 'from')
  const isAttached = hasAttachedMail(mail)
  if (MAILER_DAEMON.test(from) && (isAttached || quoted !== '')) return 'certain'
  const marks = countMarks(headerOf(mail, 'subject'), text.slice(0, 8_000))
  if (marks === 0) return 'no'
  if (MAIL_SYSTEM.test(from) || headerOf(mail, 'return-path').trim() === '<>') return 'certain'
  // Anybody may write about a mail that did not arrive, with an older one quoted below.
  return isAttached || (marks > 1 && quoted !== '') ? 'likely' : 'no'
}

/** A list server sends no delivery reports; it says in its own name that it did not take the mail. */
function isListRefusal(mail: MimeEntity, text: string): boolean {
  const isListServer =
    mail.headers.has('x-mlserver') || /-(?:admin|owner|request|bounces)@/i.test(headerOf(mail, 'from'))
  return isListServer && LIST_REFUSAL.test(`${headerOf(mail, 'subject')}\n${text.slice(0, 2_000)}`)
}

function hasAttachedMail(mail: MimeEntity): boolean {
  for (const part of walk(mail)) if (/^(?:message\/|text\/rfc822)/.test(part.type)) return true
  return false
}

function countMarks(subject: string, text: string): number {
  const said = [
    SUBJECTS.some(words => words.test(subject)),
    WORDS.some(words => words.test(text)),
    QUOTED_REPLY.test(text),
  ]
  return said.filter(Boolean).length
}

const MAILER_DAEMON = /mailer[-_. ]?daemon|mail delivery (?:sub)?system/i
const MAIL_SYSTEM =
  /mailer[-_. ]?daemon|post[-_. ]?master|mail ?(?:delivery|system|administrator|admin)|delivery (?:sub)?system|mail-?daemon|<>/i

const LIST_REFUSAL =
  /not (?:a )?member|loop alert|duplicated message-id|original mail as follows|was not (?:distributed|posted)/i

/** Subjects of delivery reports, in the languages they come in. */
const SUBJECTS = [
  /undeliver|nondeliver|failure notice|returned mail|mail error|delivery (?:status|report|failure|notification|error)/i,
  /(?:mail|message|delivery).{0,30}(?:fail|return|reject|could ?n[o']t|not be|error|delay|problem|block)/i,
  /(?:fail|return|reject|non-?deliver|could ?n[o']t).{0,30}(?:mail|message|deliver)/i,
  /warning: .{0,40}(?:delayed|not (?:been )?delivered)/i,
  /unzustellbar|nicht zustellbar|zustell(?:fehler|ung)|niet (?:be|afge)(?:zorgd|leverd)|kunde inte lever|kunne ikke lever/i,
  /non remis|non distribu|no se puede entregar|no entregado|n[ãa]o (?:foi )?entregue|mancat[oa] (?:recapito|consegna)/i,
  /недостав|niedostarcz|nedoruč|退信|无法(?:送达|投递)|配信|送信(?:でき|エラー)|エラー通知/i,
]

/** What reports say. */
const WORDS = [
  /(?:could|can|was|has|have|were) ?n[o']t (?:yet )?(?:be(?:en)? )?(?:successfully )?(?:deliver|sent|reach)/i,
  /cannot (?:be )?deliver|(?:unable|failed|failure) to (?:deliver|send|reach)|error delivering|not (?:been )?delivered/i,
  /(?:delivery|message|mail).{0,40}(?:failed|has been (?:returned|rejected)|not delivered|undeliverable)/i,
  /undeliverable|permanent (?:fatal )?(?:error|failure)|did not reach|returned to (?:the )?sender|rejected your message/i,
  /(?:delivery|transmission) (?:error|failure)|following (?:address|recipient)|invalid (?:user|recipient|final delivery)/i,
  /konnte nicht|n'a pas (?:pu|été)|no (?:se )?ha podido|не может быть|未能|无法|配信|送信でき/i,
]

/** A refusal with both codes, or a reply in a transcript or at the start of a line. */
const QUOTED_REPLY = /\b[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b|^\s*(?:<<<\s*)?[45][0-5]\d[ -]\D/m
