import { headerOf, type MimeEntity, walk } from './mime-entity.ts'
import { namesSomebody } from './text-report.ts'

/**
 * Decides whether a message without report fields is a delivery report. It needs both a phrase for failed delivery
 * and an origin that only mail systems have: `certain` if it comes from a mail system, `likely` if an automatic reply
 * could look the same.
 */
export function looksLikeReport(mail: MimeEntity, text: string, quoted: string): 'certain' | 'likely' | 'no' {
  if (MARKS.some(name => mail.headers.has(name)) || isListRefusal(mail, text)) return 'certain'
  const reportType =
    mail.type === 'multipart/report' ? mail.parameters.get('report-type')?.toLowerCase() : undefined
  if (reportType === 'delivery-status') return 'certain'
  if (OTHER_REPORTS.test(reportType ?? '')) return 'no'
  const from = headerOf(mail, 'from')
  const isAttached = hasAttachedMail(mail)
  if (MAILER_DAEMON.test(from) && (isAttached || quoted !== '')) return 'certain'
  // Mailing lists forward what their members write about bounces.
  if (LIST_HEADERS.some(name => mail.headers.has(name))) return 'no'
  const subject = headerOf(mail, 'subject')
  const start = text.slice(0, 8_000)
  const marks = countMarks(subject, start)
  if (marks === 0 || (SUMMARY.test(subject) && !saysUndelivered(subject))) return 'no'
  const returnPath = headerOf(mail, 'return-path').trim()
  const isSystem = isMailSystem(from)
  const isAnswered = returnPath.includes('@') && !MAILER_DAEMON.test(from + returnPath)
  if (PASSED_ON.test(subject) && (isAnswered || !isSystem)) return 'no'
  const showsMail = isAttached || quoted !== '' || QUOTED_REPLY.test(start)
  if (!showsMail && ABOUT_MAIL_TO_YOU.test(start)) return 'no'
  // Programs send many kinds of notices without a return path. A report also contains or names its original.
  const isAbout = showsMail || namesSomebody(mail, text)
  if (returnPath === '<>' || isMailSystem(returnPath)) {
    if (isAbout) return isSystem || showsMail ? 'certain' : 'likely'
    return isSystem && saysUndelivered(subject) ? 'certain' : 'no'
  }
  // A sender that accepts replies and names no mailbox may only use the name of a mail system.
  if (isSystem && (returnPath === '' ? isAbout : isAttached || namesSomebody(mail, text))) return 'certain'
  if (PASSED_ON.test(subject)) return 'no'
  // Anybody can write about an undelivered message and quote it below.
  if (isAttached || (marks > 1 && quoted !== '')) return 'likely'
  return marks === ALL_MARKS && CONVERSATION_OF_SERVERS.test(start) && !CONVERSATION.test(start)
    ? 'likely'
    : 'no'
}

/** True if the name or address of a sender is a mail system's. */
export function isMailSystem(from: string): boolean {
  return MAIL_SYSTEM.test(from)
}

/** List servers send no delivery reports; they use their own name when they reject a message. */
function isListRefusal(mail: MimeEntity, text: string): boolean {
  const isListServer = mail.headers.has('x-mlserver') || LIST_SERVER.test(headerOf(mail, 'from'))
  const said = `${headerOf(mail, 'subject')}\n${text.slice(0, 2_000)}`
  return isListServer && LIST_REFUSAL.test(said) && !MODERATED.test(said)
}

function hasAttachedMail(mail: MimeEntity): boolean {
  for (const part of walk(mail)) if (/^(?:message\/|text\/rfc822)/.test(part.type)) return true
  return false
}

function countMarks(subject: string, text: string): number {
  const said = [
    saysUndelivered(subject),
    [...WORDS, ...IN_OTHER_LANGUAGES].some(words => words.test(text)),
    QUOTED_REPLY.test(text),
  ]
  return said.filter(Boolean).length
}

function saysUndelivered(subject: string): boolean {
  return [...SUBJECTS, ...IN_OTHER_LANGUAGES].some(words => words.test(subject))
}

/** Header fields that only reports have: Exim and Gmail, Exchange. */
const MARKS = ['x-failed-recipients', 'x-ms-exchange-message-is-ndr']

/** Reports that are not about a delivery: RFC 5965, RFC 8460. */
const OTHER_REPORTS = /^(?:feedback-report|tlsrpt)$/

/** Daily summaries for administrators mention many messages. */
const SUMMARY = /\b(?:summar(?:y|ies)|statistics?|digest|logwatch|daily report)\b|^cron\b/i

const ALL_MARKS = 3

/** Found only in SMTP transcripts. */
const CONVERSATION_OF_SERVERS =
  /rcpt to|\bsmtp\b|remote (?:host|server)|identified host|mail ?server|\b[45]\.\d{1,3}\.\d{1,3}\b/i

/** People greet, thank and write "I". */
const CONVERSATION =
  /\b(?:hello|hi|hey|dear|thanks?|thank you|regards|cheers|hallo|guten tag|liebe|grüße|grüßen|danke|bitte|bonjour|merci|cordialement|hola|gracias|saludos|ciao|buongiorno|grazie|saluti|ol[áa]|obrigad[oa]|i (?:get|got|have|am|tried|wrote|can)|ich|wir)\b/i

/** Prefixes of replies and forwarded messages. */
const PASSED_ON = /^\s*(?:re|aw|sv|vs|antw|fwd?|wg|tr|rv|enc)\s*:/i

const LIST_HEADERS = ['list-id', 'list-post', 'list-unsubscribe']

const MAILER_DAEMON = /mailer[-_. ]?daemon|mail delivery (?:sub)?system/i
const MAIL_SYSTEM =
  /mailer[-_. ]?daemon|post[-_. ]?master|\bmmdf\b|memo service|system administrator|e-?mail (?:filter|gateway|security|router)|mail ?(?:delivery|system|administrator|admin)|delivery (?:sub)?system|mail-?daemon|<>/i

const LIST_SERVER =
  /-(?:admin|owner|request|bounces)@|\bowner-|\b(?:sympa|majordomo|mailman|listserv|ecartis)\b/i
const LIST_REFUSAL =
  /not (?:a )?member|loop alert|duplicated message-id|original mail as follows|was not (?:distributed|posted)|not (?:allowed|authori[sz]ed) to (?:post|send)|non-?member|only members|automatically rejected|was rejected/i

/** Notices about quarantined or held messages for a mailbox. */
const ABOUT_MAIL_TO_YOU =
  /\bincoming (?:e-?mails?|messages?)\b|\b(?:to|into|in) your (?:inbox|mail ?box)\b|\b(?:sent|addressed) to you\b|\brelease (?:it|them|messages?|mails?)\b|\bawait(?:s|ing) .{0,30}approval\b/i

/** Not rejected yet: waiting for a moderator. */
const MODERATED = /awaits (?:moderator )?approval|(?:is|being) held\b/i

/** Subjects of delivery reports, by language. */
const SUBJECTS = [
  /undeliver|nondeliver|failure notice|returned mail|mail error|delivery (?:status|report|failure|notification|error)/i,
  /(?:mail|message|delivery).{0,30}(?:fail|return|reject|could ?n[o']t|not be|error|delay|problem|block)/i,
  /(?:fail|return|reject|non-?deliver|could ?n[o']t).{0,30}(?:mail|message|deliver)/i,
  /warning: .{0,40}(?:delayed|not (?:been )?delivered)/i,
  /unzustellbar|nicht zustellbar|zustell(?:fehler|ung)|niet (?:be|afge)(?:zorgd|leverd)|kunde inte lever|kunne ikke lever/i,
  /non remis|non distribu|no se puede entregar|no entregado|n[ãa]o (?:foi )?entregue|mancat[oa] (?:recapito|consegna)/i,
  /недостав|niedostarcz|nedoruč|退信|[无無]法(?:送[达達]|投[递遞])|配信|送信(?:でき|エラー)|エラー通知|повернення|iletilemed|kézbesíthet|nelivrat|gick inte/i,
]

/** Phrases of delivery reports. */
const WORDS = [
  /(?:could|can|was|has|have|were) ?n[o']t (?:yet )?(?:be(?:en)? )?(?:successfully )?(?:deliver|sent|reach)/i,
  /cannot (?:be )?deliver|(?:unable|failed|failure) to (?:deliver|send|reach)|error delivering|not (?:been )?delivered/i,
  /(?:delivery|message|mail).{0,40}(?:failed|has been (?:returned|rejected)|not delivered|undeliverable)/i,
  /undeliverable|permanent (?:fatal )?(?:error|failure)|did not reach|returned to (?:the )?sender|rejected your message/i,
  /(?:delivery|transmission) (?:error|failure)|following (?:address|recipient)|invalid (?:user|recipient|final delivery)/i,
  /konnte nicht|n'a pas (?:pu|été)|no (?:se )?ha podido|не может быть|未能|无法|配信|送信でき/i,
]

/** "Not delivered", with the verb in any position. */
const IN_OTHER_LANGUAGES = [
  /nicht (?:\w+ )?(?:zugestellt|zustellbar|übermittelt|ausgeliefert)|zustellung .{0,40}(?:fehlgeschlagen|nicht möglich)/i,
  /n['’](?:a|ont) (?:pas |pu )[^.\n]{0,40}(?:remis|livr|distribu|achemin|délivr)|(?:échec|erreur) (?:de|lors)[^.\n]{0,20}(?:remise|livraison|distribution|envoi)/i,
  /no (?:se )?(?:ha|han|pudo|puede|pudieron|fue)\b[^.\n]{0,40}entreg|(?:error|fallo) (?:en|de) (?:la )?entrega|entrega fallida/i,
  /non (?:è stat|può essere|è possibile)[^.\n]{0,30}(?:consegna|recapita)|mancat\w+ (?:consegna|recapito)|impossibile (?:recapitare|consegnare)/i,
  /n[ãa]o (?:p[ôo]de|foi|pode)\b[^.\n]{0,40}entreg|falha n[ao] entrega/i,
  /niet (?:worden |kunnen )?(?:bezorgd|afgeleverd)|kunde inte (?:levereras|skickas)|kunne ikke (?:leveres|sendes)|ei voitu toimittaa/i,
  /nie (?:można|może|mogła|udało się)[^.\n]{0,40}(?:dostarcz|doręcz)|(?:nelze|nemohl\w*|nebyl\w*)[^.\n]{0,20}doruč|nepodařilo[^.\n]{0,20}doruč|nepodarilo[^.\n]{0,20}doruč|teslim edileme|gönderilemed|nem (?:sikerült |)kézbesít|nu a (?:putut|fost)[^.\n]{0,30}(?:livrat|trimis)/i,
  /zurückgesandt|retourné à l|(?:fue|ha sido) devuelto|foi devolvid|mensagem devolvida|mensaje devuelto|no llegó a|no entregable|impossible de joindre|αποτυχία παράδοσης/i,
  /не (?:был[оа]? |может быть |удалось |може бути |вдалося )?достав|не може да бъде достав|δεν (?:ήταν δυνατή|παραδόθηκε|μπόρεσε)/i,
  /配送(?:でき|エラー)|送達でき|宛先不明|被退回|(?:[无無]法|未能)(?:送[达達]|投[递遞]|[发發]送)|반송|배달(?:할 수 없|되지)|(?:보내|전송하|전달하)지 못/,
  /không thể gửi|tidak (?:dapat|bisa) (?:di)?kirim|تعذر (?:تسليم|إرسال|توصيل)|لم يتم تسليم|לא ניתן (?:היה )?(?:למסור|לשלוח)/,
]

/** A rejection with both codes, or a reply in a transcript or at the start of a line. */
const QUOTED_REPLY =
  /\b[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b|(?:^\s*|[:,;\])] )(?:<<<\s*)?[45][0-5]\d[ -]\D/m
