import { headerOf, type MimeEntity } from './mime-entity.ts'

/**
 * True for unsubscribe requests: sent by the mailto link of List-Unsubscribe, or written by a person. The whole
 * subject must be a request; "Remove stains for good" is a reply to an email about stains.
 */
export function isUnsubscribeRequest(mail: MimeEntity): boolean {
  return saysUnsubscribe(headerOf(mail, 'subject').replace(REPLY_PREFIX, ''))
}

/**
 * True for a mail program's own request. Apple's programs mark it with Auto-Submitted: auto-replied, and unlike a
 * reply it refers to no message.
 */
export function isProgramsRequest(mail: MimeEntity): boolean {
  const isReply = mail.headers.has('in-reply-to') || mail.headers.has('references')
  return !isReply && saysUnsubscribe(headerOf(mail, 'subject'))
}

const REPLY_PREFIX = /^\s*(?:(?:re|aw|antw|sv|vs|rv|res|ref|odp|ynt|回复|返信)\s*[:：]\s*){1,5}/iu

const MAX_SUBJECT = 120

function saysUnsubscribe(subject: string): boolean {
  if (subject.length > MAX_SUBJECT) return false
  const words =
    subject
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  if (words.length === 0) return false
  if (WITHOUT_SPACES.test(words.join(''))) return true
  const others = words.filter(word => !REQUEST.test(word))
  if (others.length === words.length) return REQUEST_PHRASE.test(words.join(' '))
  return others.every(word => AROUND.has(word))
}

/** Words that are a request on their own, by language. */
const REQUEST = new RegExp(
  `^(?:${[
    'unsubscribe[dr]?|unsubscription|unsub|optout|signoff|remove|removal',
    'abmelden|abmeldung|abbestellen|abbestellung|austragen|austragung|abbestelle|abmelde',
    'd[ée]sabonn\\w*|d[ée]sinscri\\w*|d[ée]sabonnement',
    'baja|desuscri\\w*|desinscri\\w*|dar(?:se|me)baja',
    'descadastr\\w*|cancelamento',
    'disiscri\\w*|cancellami|cancellatemi|cancellazione',
    'uitschrijven|afmelden|afmelding|uitschrijving',
    'avregistrera|avprenumerera|avsluta|avanmälan|afmeld|afmelding|avmeld|avmelding|frameld\\w*',
    'wypisz|wypisać|rezygnuję|odhl[aá]sit|odhlásiť|odhlášení|odhlášky',
    'leiratkoz\\w*|dezabon\\w*|отпис\\p{L}*|отказаться|відпис\\p{L}*|διαγραφή|διαγραφη',
    'إلغاء|הסר|הסרה',
  ].join('|')})$`,
  'u',
)

/** Requests of several words. */
const REQUEST_PHRASE =
  /^(?:please )?(?:opt (?:me )?out|sign (?:me )?off|list unsubscribe|take me off(?: (?:this|the|your))?(?: mailing)?(?: list)?|stop(?: (?:mailing|emailing) me)?|cancelar (?:la |mi |a |minha )?(?:suscripci[óo]n|inscri[çc][ãa]o|assinatura)|annulla (?:l )?iscrizione|cancella (?:l |la )?(?:mia )?iscrizione|cancella|peruuta (?:uutiskirjeen )?tilaus|abonelikten [çc][ıi]k)(?: please)?$/u

/** Chinese, Japanese and Korean write no spaces between words. */
const WITHOUT_SPACES =
  /^(?:退订|退訂|取消订阅|取消訂閱|(?:メールマガジン|メルマガ|メール)?(?:の)?(?:配信停止|配信解除|購読解除|購読停止|登録解除|解除|退会)(?:希望|依頼|のお願い)?|수신거부|구독취소|구독해지|수신거부요청)$/u

/** Words that may surround a request. */
const AROUND = new Set(
  [
    'please pls me my from of off the this your our to list lists mailing mail mails email emails e newsletter newsletters address subscription all it i want would like thanks thank you request us is kindly now and stop',
    'bitte vom von der die das den dem aus ihrem ihren eurem euren ihr meine meiner mich mir newsletters rundbrief verteiler mailverteiler adresse emailadresse e ich möchte danke alle sofort hiermit',
    'merci svp de du la le les l d se me moi vous votre vos lettre liste désinscription adresse mon ma demande se à s il plaît information',
    'por favor de del el la mi mis su sus boletín boletin lista correo correos suscripción solicito solicitud dar darme darse quiero gracias',
    'não nao da do das dos o a os as meu minha seu sua e remover quero obrigado',
    'per favore dalla dal della il lo mia mio iscrizione grazie richiesta di',
    'graag aub van voor nieuwsbrief mijn mij me uw alstublieft mailinglijst',
    'mig från fra nyhetsbrev nyhedsbrev nyhetsbrevet nyhedsbrevet prenumeration tack tak takk venligst vennligst meg',
    'proszę prosze mnie się sie z newslettera mi prosím prosim mě ma odběr odběru kérem kérek rog mă vă от меня рассылки рассылку пожалуйста мене розсилки من الاشتراك',
  ].flatMap(words => words.split(' ')),
)
