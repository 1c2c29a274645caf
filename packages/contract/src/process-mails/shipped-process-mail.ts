import type { languages } from '../resources/client.ts'
import { isPage, type Process, processLinks } from '../resources/pmt.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }

type Language = (typeof languages)[number]

/** Content of a process mail: HTML with placeholders; the plain text is generated from it. */
export interface ProcessMailContent {
  process: Process
  lang: Language
  /** Null for pages. */
  subject: string | null
  body_long: string
  body_text: string | null
}

interface ShippedText {
  name: string
  subject?: string
  title: string
  text: readonly string[]
  button?: string
  note?: string
}

const texts = { en, de, es }

/** The process mail or page that EMMA ships, used for clients without one of their own. */
export function shippedProcessMail(process: Process, lang: Language): ProcessMailContent & { name: string } {
  const text: ShippedText = texts[lang][process]
  const { name, subject = null } = text
  return { name, process, lang, subject, body_long: documentOf(process, lang, text), body_text: null }
}

function documentOf(process: Process, lang: Language, text: ShippedText): string {
  const { title, note } = text
  const button = buttonOf(process, text)
  const content = [
    '<p class="sender">{{ client.name }}</p>',
    `<h1>${title}</h1>`,
    ...text.text.map(paragraph => `<p>${paragraph}</p>`),
    ...(button === null ? [] : [button]),
    ...(note === undefined ? [] : [`<p class="small">${note}</p>`]),
  ]
  return `<!doctype html>
<html lang="${lang}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <style>${style}</style>
</head>
<body>
  <div class="card">
${content.map(line => `    ${line}`).join('\n')}
  </div>
${isPage(process) ? '' : footer(process, lang)}</body>
</html>
`
}

/** On the unsubscribe page a form, as a link must not subscribe anybody again; elsewhere a link of the process. */
function buttonOf(process: Process, { button }: ShippedText): string | null {
  if (button === undefined) return null
  if (process === 'page_unsub')
    return `<form method="post" action="{{ link.preferences }}"><button class="button" name="action" value="subscribe">${button}</button></form>`
  const link = processLinks[process].required.includes('doi') ? 'doi' : 'preferences'
  return `<p><a class="button" href="{{ link.${link} }}">${button}</a></p>`
}

function footer(process: Process, lang: Language): string {
  const { required, possible } = processLinks[process]
  const links = (['unsubscribe', 'preferences'] as const)
    .filter(link => required.includes(link) || possible.includes(link))
    .map(link => `<a href="{{ link.${link} }}">${texts[lang][link]}</a>`)
  return `  <div class="footer">
    <p>${texts[lang].imprint}: {{ client.imprint | default: client.address | default: client.name | newline_to_br }}</p>
${links.length === 0 ? '' : `    <p>${links.join(' · ')}</p>\n`}  </div>
`
}

/** The rules are copied into the elements, so those for the dark need `!important`. */
const style = `
    body { margin: 0; padding: 24px 12px; background: #f4f4f5; font-family: Helvetica, Arial, sans-serif; color: #27272a; }
    .card { max-width: 520px; margin: 0 auto; padding: 32px; border-radius: 12px; background: #ffffff; overflow-wrap: anywhere; }
    .sender { margin: 0 0 20px; font-size: 15px; font-weight: bold; color: #52525b; }
    h1 { margin: 0 0 12px; font-size: 24px; line-height: 1.3; color: #18181b; }
    p { margin: 0 0 16px; font-size: 16px; line-height: 1.6; }
    .button { display: inline-block; margin: 4px 0; padding: 12px 22px; border: 0; border-radius: 8px; background: #18181b; color: #ffffff; font: bold 16px Helvetica, Arial, sans-serif; text-decoration: none; cursor: pointer; }
    .small { font-size: 14px; color: #52525b; }
    .footer { max-width: 520px; margin: 0 auto; padding: 20px 32px; }
    .footer p { margin: 0 0 8px; font-size: 12px; color: #52525b; }
    .footer a { color: #52525b; }
    @media (max-width: 480px) { .card { padding: 24px 20px !important; } .footer { padding: 20px !important; } }
    @media (prefers-color-scheme: dark) {
      body { background: #18181b !important; color: #f4f4f5 !important; }
      .card { background: #27272a !important; }
      h1 { color: #ffffff !important; }
      .button { background: #f4f4f5 !important; color: #18181b !important; }
      .sender, .small, .footer p, .footer a { color: #a1a1aa !important; }
    }
  `
