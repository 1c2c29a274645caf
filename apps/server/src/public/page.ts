import { escapeHtml } from './campaign-pages.ts'

export type PageLanguage = 'en' | 'de' | 'es'

const words = {
  en: {
    unsubscribe: 'Unsubscribe',
    ask: (email: string, client: string) => `Shall ${email} get no more mails from ${client}?`,
    confirm: 'Yes, unsubscribe',
    done: 'You are unsubscribed',
    doneText: (email: string, client: string) => `${email} gets no more mails from ${client}.`,
    undo: 'That was a mistake: keep me subscribed',
    preferences: 'Your mails',
    subscribed: (email: string, client: string) => `${email} gets mails from ${client}.`,
    unsubscribed: (email: string, client: string) => `${email} gets no mails from ${client}.`,
    resubscribe: 'Subscribe again',
    back: 'You are subscribed again',
    gone: 'This link does not work any more',
    goneText: 'It may be too old, or not complete. Look for a newer mail from the sender.',
  },
  de: {
    unsubscribe: 'Abmelden',
    ask: (email: string, client: string) => `Soll ${email} keine E-Mails mehr von ${client} bekommen?`,
    confirm: 'Ja, abmelden',
    done: 'Sie sind abgemeldet',
    doneText: (email: string, client: string) => `${email} bekommt keine E-Mails mehr von ${client}.`,
    undo: 'Das war ein Versehen: Ich bleibe angemeldet',
    preferences: 'Ihre E-Mails',
    subscribed: (email: string, client: string) => `${email} bekommt E-Mails von ${client}.`,
    unsubscribed: (email: string, client: string) => `${email} bekommt keine E-Mails von ${client}.`,
    resubscribe: 'Wieder anmelden',
    back: 'Sie sind wieder angemeldet',
    gone: 'Dieser Link funktioniert nicht mehr',
    goneText: 'Er ist vielleicht zu alt oder unvollständig. Suchen Sie eine neuere E-Mail des Absenders.',
  },
  es: {
    unsubscribe: 'Darse de baja',
    ask: (email: string, client: string) => `¿Desea que ${email} no reciba más correos de ${client}?`,
    confirm: 'Sí, darme de baja',
    done: 'Se ha dado de baja',
    doneText: (email: string, client: string) => `${email} no recibirá más correos de ${client}.`,
    undo: 'Ha sido un error: quiero seguir suscrito',
    preferences: 'Sus correos',
    subscribed: (email: string, client: string) => `${email} recibe correos de ${client}.`,
    unsubscribed: (email: string, client: string) => `${email} no recibe correos de ${client}.`,
    resubscribe: 'Volver a suscribirse',
    back: 'Se ha suscrito de nuevo',
    gone: 'Este enlace ya no funciona',
    goneText: 'Puede ser demasiado antiguo o estar incompleto. Busque un correo más reciente del remitente.',
  },
} as const

export interface Person {
  email: string
  client: string
  language: PageLanguage
  isSubscribed: boolean
  /** `/u/{token}` */
  path: string
}

export function askPage({ email, client, language, path }: Person): string {
  const say = words[language]
  return page(
    language,
    say.unsubscribe,
    `<p>${escapeHtml(say.ask(email, client))}</p>${button(path, 'unsubscribe', say.confirm)}`,
  )
}

export function donePage({ email, client, language, path }: Person): string {
  const say = words[language]
  return page(
    language,
    say.done,
    `<p>${escapeHtml(say.doneText(email, client))}</p>${button(`${path}/preferences`, 'subscribe', say.undo, 'quiet')}`,
  )
}

export function preferencesPage({ email, client, language, path, isSubscribed }: Person): string {
  const say = words[language]
  const state = isSubscribed ? say.subscribed(email, client) : say.unsubscribed(email, client)
  const change = isSubscribed
    ? button(`${path}/preferences`, 'unsubscribe', say.unsubscribe)
    : button(`${path}/preferences`, 'subscribe', say.resubscribe)
  return page(language, say.preferences, `<p>${escapeHtml(state)}</p>${change}`)
}

export function gonePage(language: PageLanguage): string {
  return page(language, words[language].gone, `<p>${words[language].goneText}</p>`)
}

function button(action: string, does: string, label: string, style = ''): string {
  return `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="action" value="${does}"><button class="${style}">${label}</button></form>`
}

/** Works without scripts, and without anything from elsewhere. */
function page(language: PageLanguage, title: string, content: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>
:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.05rem/1.6 system-ui,sans-serif;background:#f4f4f5;color:#18181b}
main{max-width:28rem;margin:1rem;padding:2.5rem;border-radius:12px;background:#fff;box-shadow:0 1px 3px #0002}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{overflow-wrap:anywhere}
button{font:inherit;padding:.7rem 1.2rem;border:0;border-radius:8px;background:#c2410c;color:#fff;cursor:pointer}button:focus-visible{outline:3px solid #2563eb;outline-offset:2px}button.quiet{background:none;color:inherit;text-decoration:underline;padding-left:0}
@media (prefers-color-scheme:dark){body{background:#18181b;color:#f4f4f5}main{background:#27272a}}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`
}
