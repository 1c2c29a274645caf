import type { BrandValues } from '@emma/contract/client-brand.ts'
import type { RequestPurpose } from '@emma/core/audience/find-request.ts'
import { escapeHtml } from './escape-html.ts'
import { pageTexts } from './page-texts.ts'

export type PageLanguage = keyof typeof pageTexts
type TextKey = keyof (typeof pageTexts)['en']

/** Recipient data that a page may show. */
export interface Person {
  email: string
  client: string
  language: PageLanguage
  isSubscribed: boolean
  /** `/u/{token}` */
  path: string
  /** Colours, font and logo of the client; without it, neutral ones. */
  brand?: BrandValues
}

/** A person as the page of a confirmation link shows it. */
export type LinkPerson = Omit<Person, 'isSubscribed'>

/** Confirmation before unsubscribing. */
export function askPage(person: Person): string {
  const { language, path } = person
  return page(person, pageTexts[language].ask, [
    `<p>${fillText(person, 'askText')}</p>`,
    form(path, `<button name="action" value="unsubscribe">${pageTexts[language].confirm}</button>`),
    `<p><a href="${escapeHtml(path)}/preferences">${pageTexts[language].manage}</a></p>`,
  ])
}

/** Asks a person to confirm a subscription: the link alone does not, as scanners follow it. */
export function confirmPage(person: LinkPerson): string {
  const texts = pageTexts[person.language]
  return page(person, texts.doi, [
    `<p>${fillText(person, 'doiText')}</p>`,
    form(`${person.path}/confirm`, `<button name="action" value="confirm">${texts.doiConfirm}</button>`),
    `<p>${texts.doiNote}</p>`,
  ])
}

/** The link was used already. */
export function confirmedPage(person: LinkPerson): string {
  return page(person, pageTexts[person.language].doiUsed, [`<p>${fillText(person, 'doiUsedText')}</p>`])
}

/** The link has expired: offers a new one, or says that it was requested. */
export function expiredPage(person: LinkPerson, isRenewed: boolean): string {
  const texts = pageTexts[person.language]
  if (isRenewed) return page(person, texts.doiRenewed, [`<p role="status">${texts.doiRenewedText}</p>`])
  return page(person, texts.doiExpired, [
    `<p>${texts.doiExpiredText}</p>`,
    form(`${person.path}/confirm`, `<button name="action" value="renew">${texts.doiRenew}</button>`),
  ])
}

const requestKeys = { address: 'confirmAddress', export: 'confirmExport', erasure: 'confirmErasure' } as const

/** Shows what was asked for on the preference page: the link alone does nothing, as scanners follow it. */
export function requestPage(person: LinkPerson, purpose: Exclude<RequestPurpose, 'subscription'>): string {
  const texts = pageTexts[person.language]
  const key = requestKeys[purpose]
  return page(person, texts[key], [
    `<p>${fillText(person, `${key}Text`)}</p>`,
    form(
      `${person.path}/confirm`,
      `<button name="action" value="${purpose}">${texts[`${key}Button`]}</button>`,
    ),
  ])
}

/** What became of a request of the preference page. */
export function outcomePage(
  person: LinkPerson,
  about: 'requested' | 'changed' | 'taken' | 'erasing' | 'requestUsed' | 'requestExpired',
): string {
  return page(person, pageTexts[person.language][about], [
    `<p role="status">${fillText(person, `${about}Text`)}</p>`,
  ])
}

/** A page without a recipient: a test message, an error. */
export function messagePage(language: PageLanguage, about: 'test' | 'failed' | 'tooMany'): string {
  return page({ language, client: '' }, pageTexts[language][about], [
    `<p>${pageTexts[language][`${about}Text`]}</p>`,
  ])
}

/** Shows the host before following the link. @param url http or https */
export function leavePage(about: Pick<Person, 'language' | 'client'>, url: string): string {
  const texts = pageTexts[about.language]
  const host = `<strong>${escapeHtml(new URL(url).host)}</strong>`
  return page(about, texts.leave, [
    `<p>${texts.leaveText.replaceAll('{host}', () => host)}</p>`,
    `<p><a href="${escapeHtml(url)}" rel="noreferrer nofollow">${texts.proceed}</a></p>`,
  ])
}

export function dayIn(language: PageLanguage, date: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(date)
}

export function fillText({ language, email, client }: LinkPerson, key: TextKey): string {
  const text: string = pageTexts[language][key]
  return text
    .replaceAll('{email}', () => `<strong>${escapeHtml(email)}</strong>`)
    .replaceAll('{client}', () => escapeHtml(client))
}

export function form(action: string, content: string): string {
  return `<form method="post" action="${escapeHtml(action)}">${content}</form>`
}

/** In the client's name, without EMMA's branding, which recipients do not know. */
export function page(
  { language, client, brand }: Pick<Person, 'language' | 'client' | 'brand'>,
  title: string,
  content: readonly string[],
): string {
  const sender = escapeHtml(client)
  const logo = brand?.logo_url
    ? `<img class="logo" src="${escapeHtml(brand.logo_url)}" alt="${sender}">`
    : sender
  const head = sender === '' ? '' : `<p class="sender">${logo}</p>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${sender === '' ? title : `${title} · ${sender}`}</title>
<style>${STYLE}${brand ? brandStyle(brand) : ''}</style>
</head>
<body><main>${head}<h1>${title}</h1>${content.join('\n')}</main></body>
</html>`
}

/** Of the contract's checked values: no foreign text. */
function brandStyle({ button_color, button_text_color, font, radius }: BrandValues): string {
  return `body{font-family:${font}}
button:not(.plain){background:${button_color}!important;color:${button_text_color}!important;border-radius:${radius}}
`
}

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.05rem/1.6 system-ui,sans-serif;background:#f4f4f5;color:#18181b}
main{max-width:28rem;margin:1rem;padding:2.5rem;border-radius:12px;background:#fff;box-shadow:0 1px 3px #0002}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}
p{overflow-wrap:anywhere}
.sender{margin:0 0 1.25rem;font-weight:600;color:#52525b}
a{color:inherit}
fieldset{border:0;margin:0 0 1.25rem;padding:0}
legend{padding:0;font-weight:600}
label{display:block;padding:.35rem 0;cursor:pointer;overflow-wrap:anywhere}
input{width:1.1rem;height:1.1rem;vertical-align:-.15rem;margin:0 .4rem 0 0;accent-color:#27272a}
button{font:inherit;padding:.7rem 1.2rem;border:0;border-radius:8px;background:#27272a;color:#fff;cursor:pointer}
select,input[type=email]{box-sizing:border-box;font:inherit;height:auto;margin:0;display:block;width:100%;padding:.5rem;border:1px solid #71717a;border-radius:8px;background:inherit;color:inherit}
h2{margin:2rem 0 .5rem;font-size:1.125rem;line-height:1.3}
button.plain{display:block;margin:0 0 .75rem;background:none;color:inherit;border:1px solid #71717a}
.logo{display:block;max-width:12rem;max-height:4rem}
.languages a{margin-right:.75rem}
.topics{padding-left:1.6rem}
.error{color:#b91c1c;font-weight:600}
button:focus-visible,input:focus-visible,select:focus-visible,a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#18181b;color:#f4f4f5}main{background:#27272a}.sender{color:#a1a1aa}button{background:#f4f4f5;color:#18181b}button.plain{background:none;color:inherit}.logo{padding:.5rem;border-radius:8px;background:#fff}.error{color:#fca5a5}input{accent-color:#f4f4f5}}
`
