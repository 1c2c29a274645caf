import type { MailWords } from './password-words.ts'

type Languages = Record<'en' | 'de' | 'es', MailWords>

/** To the new address. */
export const confirmWords: Languages = {
  en: {
    lang: 'en',
    subject: 'Confirm your new email address for EMMA',
    hello: 'Hello',
    intro: 'this link confirms the new email address of your account. It works for 24 hours.',
    button: 'Confirm email address',
    username: 'Your user name',
    outro: 'If you did not ask for it, do nothing: the account keeps its address.',
  },
  de: {
    lang: 'de',
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für EMMA',
    hello: 'Guten Tag',
    intro: 'mit diesem Link bestätigen Sie die neue E-Mail-Adresse Ihres Kontos. Er gilt 24 Stunden.',
    button: 'E-Mail-Adresse bestätigen',
    username: 'Ihr Benutzername',
    outro: 'Falls Sie das nicht angefordert haben, tun Sie nichts: Das Konto behält seine Adresse.',
  },
  es: {
    lang: 'es',
    subject: 'Confirme su nueva dirección de correo para EMMA',
    hello: 'Hola',
    intro: 'con este enlace confirma la nueva dirección de correo de su cuenta. Sirve durante 24 horas.',
    button: 'Confirmar la dirección',
    username: 'Su nombre de usuario',
    outro: 'Si no lo ha pedido, no haga nada: la cuenta conserva su dirección.',
  },
}

/** To the address so far; the new one follows `intro`. */
export const noticeWords: Languages = {
  en: {
    lang: 'en',
    subject: 'Your email address for EMMA is about to change',
    hello: 'Hello',
    intro:
      'somebody who knows your password asked for another email address for your account. It takes effect when it is confirmed. The new address:',
    button: 'Open your account',
    username: 'Your user name',
    outro: 'If this was not you, change your password now and tell your administrator.',
  },
  de: {
    lang: 'de',
    subject: 'Ihre E-Mail-Adresse für EMMA soll sich ändern',
    hello: 'Guten Tag',
    intro:
      'jemand, der Ihr Passwort kennt, hat für Ihr Konto eine andere E-Mail-Adresse angefordert. Sie gilt, sobald sie bestätigt ist. Die neue Adresse:',
    button: 'Konto öffnen',
    username: 'Ihr Benutzername',
    outro:
      'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort und informieren Sie Ihren Administrator.',
  },
  es: {
    lang: 'es',
    subject: 'Su dirección de correo para EMMA va a cambiar',
    hello: 'Hola',
    intro:
      'alguien que conoce su contraseña ha pedido otra dirección de correo para su cuenta. Será válida cuando se confirme. La nueva dirección:',
    button: 'Abrir la cuenta',
    username: 'Su nombre de usuario',
    outro: 'Si no ha sido usted, cambie ahora su contraseña y avise a su administrador.',
  },
}

/** To the address so far, when an administrator has changed it. */
export const addressNoticeWords: Record<
  'en' | 'de' | 'es',
  { lang: string; subject: string; hello: string; lines: readonly string[] }
> = {
  en: {
    lang: 'en',
    subject: 'The email address of your EMMA account was changed',
    hello: 'Hello',
    lines: [
      'an administrator has changed the email address of an EMMA account that used this address. Emails for the account no longer come here.',
      'If you did not expect this, contact your administrator.',
    ],
  },
  de: {
    lang: 'de',
    subject: 'Die E-Mail-Adresse Ihres EMMA-Kontos wurde geändert',
    hello: 'Guten Tag',
    lines: [
      'ein Administrator hat die E-Mail-Adresse eines EMMA-Kontos geändert, zu dem diese Adresse gehörte. E-Mails zu diesem Konto kommen nicht mehr hier an.',
      'Falls Sie das nicht erwartet haben, wenden Sie sich an Ihren Administrator.',
    ],
  },
  es: {
    lang: 'es',
    subject: 'Se ha cambiado la dirección de correo de su cuenta de EMMA',
    hello: 'Hola',
    lines: [
      'un administrador ha cambiado la dirección de correo de una cuenta de EMMA que usaba esta dirección. Los correos de la cuenta ya no llegan aquí.',
      'Si no lo esperaba, avise a su administrador.',
    ],
  },
}
