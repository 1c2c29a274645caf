import { headerOf, type MimeEntity, walk } from './mime-entity.ts'

/**
 * Decides whether a mail without report fields is a delivery report. It needs two kinds of marks: words that say a mail
 * did not arrive, and an origin only mail systems have. `certain` where a mail system speaks for itself; `likely` where
 * an automatic reply could look the same.
 */
export function looksLikeReport(mail: MimeEntity, text: string, quoted: string): 'certain' | 'likely' | 'no' {
  if (mail.headers.has('x-failed-recipients')) return 'certain'
  if (isListRefusal(mail, text)) return 'certain'
  const subject = headerOf(mail, 'subject')
  const start = text.slice(0, 8_000)
  const isSaid = SUBJECT.test(subject) || WORDS.test(start) || QUOTED_REPLY.test(start)
  if (!isSaid) return 'no'
  if (MAIL_SYSTEM.test(headerOf(mail, 'from')) || headerOf(mail, 'return-path').trim() === '<>')
    return 'certain'
  return quoted !== '' || hasAttachedMail(mail) || SUBJECT.test(subject) ? 'likely' : 'no'
}

/** A list server does not send delivery reports; it says in its own name that it did not take the mail. */
function isListRefusal(mail: MimeEntity, text: string): boolean {
  const isListServer =
    mail.headers.has('x-mlserver') || /-(?:admin|owner|request|bounces)@/i.test(headerOf(mail, 'from'))
  return isListServer && LIST_REFUSAL.test(`${headerOf(mail, 'subject')}\n${text.slice(0, 2_000)}`)
}

const LIST_REFUSAL =
  /not (?:a )?member|loop alert|duplicated message-id|original mail as follows|was not (?:distributed|posted)|rejected/i

function hasAttachedMail(mail: MimeEntity): boolean {
  for (const part of walk(mail)) if (/^(?:message\/|text\/rfc822)/.test(part.type)) return true
  return false
}

const MAIL_SYSTEM =
  /mailer[-_. ]?daemon|post[-_. ]?master|mail ?(?:delivery|system|administrator|admin)|delivery (?:sub)?system|mail-?daemon|maildaemon|<>/i

const SUBJECT =
  /undeliver|(?:mail|message|delivery|email).{0,30}(?:fail|return|reject|could ?n[o']t|not be|error|delay|problem|has failed)|(?:fail|return|reject|non-?deliver|could ?n[o']t).{0,30}(?:mail|message|delivery|deliver)|delivery (?:status|report|failure|notification|error)|failure notice|nondeliverable|returned mail|warning: .{0,40}(?:delayed|not (?:been )?delivered)|unzustellbar|nicht zustellbar|zustell(?:fehler|ung)|non remis|non distribu|no se puede entregar|no entregado|mancato recapito|mail error|配信|送信(?:でき|エラー)|エラー通知/i

const WORDS =
  /(?:could|can|was|has|have|were) ?n[o']t (?:yet )?(?:be(?:en)? )?(?:successfully )?(?:deliver|sent|reach)|cannot (?:be )?deliver|(?:unable|failed|failure) to (?:deliver|send|reach)|(?:delivery|message|mail).{0,40}(?:failed|has been (?:returned|rejected)|not delivered|undeliverable)|undeliverable|permanent (?:fatal )?(?:error|failure)|did not reach|error delivering|not (?:been )?delivered|returned to (?:the )?sender|(?:delivery|transmission) (?:error|failure)|following (?:address|recipient)|invalid (?:user|recipient|final delivery)|rejected your message|配信|送信でき|konnte nicht|n'a pas (?:pu|été)|no (?:se )?ha podido/i

/** A refusal with both codes, or a code at the start of a line. */
const QUOTED_REPLY = /\b[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b|^\s*(?:>>>|<<<)?\s*[45]\d\d[ -]\D/m
