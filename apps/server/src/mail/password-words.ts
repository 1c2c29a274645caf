/** The words of a mail with a link for a password. */
export interface MailWords {
  lang: string
  subject: string
  hello: string
  intro: string
  button: string
  username: string
  outro: string
}

type Languages = Record<'en' | 'de' | 'es', MailWords>

export const resetWords: Languages = {
  en: {
    lang: 'en',
    subject: 'Your new password for EMMA',
    hello: 'Hello',
    intro: 'this link lets you choose a new password. It works once, for 60 minutes.',
    button: 'Choose a new password',
    username: 'Your user name',
    outro: 'If you did not ask for it, do nothing: your password stays as it is.',
  },
  de: {
    lang: 'de',
    subject: 'Ihr neues Passwort für EMMA',
    hello: 'Guten Tag',
    intro: 'über diesen Link wählen Sie ein neues Passwort. Er gilt einmal und 60 Minuten lang.',
    button: 'Neues Passwort wählen',
    username: 'Ihr Benutzername',
    outro: 'Falls Sie das nicht angefordert haben, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
  es: {
    lang: 'es',
    subject: 'Su contraseña nueva de EMMA',
    hello: 'Hola',
    intro: 'con este enlace elige una contraseña nueva. Sirve una vez, durante 60 minutos.',
    button: 'Elegir una contraseña nueva',
    username: 'Su nombre de usuario',
    outro: 'Si no la ha pedido, no haga nada: su contraseña sigue como está.',
  },
}

export const invitationWords: Languages = {
  en: {
    lang: 'en',
    subject: 'Your account at EMMA',
    hello: 'Welcome',
    intro: 'an account has been made for you. Choose a password to begin; the link works once, for 7 days.',
    button: 'Choose a password',
    username: 'Your user name',
    outro: 'If you do not expect this mail, you can ignore it.',
  },
  de: {
    lang: 'de',
    subject: 'Ihr Konto bei EMMA',
    hello: 'Willkommen',
    intro:
      'für Sie wurde ein Konto angelegt. Wählen Sie zum Start ein Passwort; der Link gilt einmal und 7 Tage lang.',
    button: 'Passwort wählen',
    username: 'Ihr Benutzername',
    outro: 'Wenn Sie diese Mail nicht erwarten, können Sie sie ignorieren.',
  },
  es: {
    lang: 'es',
    subject: 'Su cuenta en EMMA',
    hello: 'Hola',
    intro:
      'se ha creado una cuenta para usted. Elija una contraseña para empezar; el enlace sirve una vez, durante 7 días.',
    button: 'Elegir una contraseña',
    username: 'Su nombre de usuario',
    outro: 'Si no espera este correo, puede ignorarlo.',
  },
}
