import type { EmailRecipient } from '@emma/core/audience/members/email-recipient.ts'
import { pauseWeeks } from '@emma/core/audience/contact-pause.ts'
import type { Frequency } from '@emma/core/audience/contact-frequency.ts'
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
}

/** Confirmation before unsubscribing. */
export function askPage(person: Person): string {
  const { language, path } = person
  return page(person, pageTexts[language].ask, [
    `<p>${fillText(person, 'askText')}</p>`,
    form(path, `<button name="action" value="unsubscribe">${pageTexts[language].confirm}</button>`),
    `<p><a href="${escapeHtml(path)}/preferences">${pageTexts[language].manage}</a></p>`,
  ])
}

/** What an address has chosen for all emails of a client. */
export interface ContactChoices {
  frequency: Frequency
  /** Null: not paused. */
  pausedUntil: Date | null
}

export function preferencesPage(
  person: Person,
  memberships: readonly (EmailRecipient & { name: string })[],
  { frequency, pausedUntil }: ContactChoices,
  isSaved: boolean,
): string {
  const texts = pageTexts[person.language]
  const boxes = memberships.map(({ name, isSubscribed, table }) => {
    const state = isSubscribed ? ' checked' : ''
    return `<label><input type="checkbox" name="list" value="${table.member_table_id}"${state}> ${escapeHtml(name)}</label>`
  })
  const choices = (['all', 'week', 'month'] as const).map(choice => {
    const state = choice === frequency ? ' checked' : ''
    return `<label><input type="radio" name="frequency" value="${choice}"${state}> ${texts[choice]}</label>`
  })
  const pauses = pauseWeeks.map(weeks => {
    const isChosen = pausedUntil === null && weeks === 0
    return `<option value="${weeks}"${isChosen ? ' selected' : ''}>${texts[`pause${weeks}`]}</option>`
  })
  const until =
    pausedUntil === null
      ? ''
      : `<option value="" selected>${texts.pausedUntil.replace('{date}', dayIn(person.language, pausedUntil))}</option>`
  return page(person, texts.preferences, [
    isSaved ? `<p role="status"><strong>${texts.saved}</strong></p>` : '',
    `<p>${fillText(person, 'preferencesText')}</p>`,
    form(
      `${person.path}/preferences`,
      `<fieldset><legend>${texts.lists}</legend>${boxes.join('')}</fieldset>
<fieldset><legend>${texts.frequency}</legend>${choices.join('')}</fieldset>
<p><label for="pause">${texts.pause}</label><select id="pause" name="pause">${until}${pauses.join('')}</select></p>
<button name="action" value="save">${texts.save}</button>`,
    ),
  ])
}

/** Asks a person to confirm a subscription: the link alone does not, as scanners follow it. */
export function confirmPage(person: Omit<Person, 'isSubscribed'>): string {
  const texts = pageTexts[person.language]
  return page(person, texts.doi, [
    `<p>${fillText(person, 'doiText')}</p>`,
    form(`${person.path}/confirm`, `<button name="action" value="confirm">${texts.doiConfirm}</button>`),
    `<p>${texts.doiNote}</p>`,
  ])
}

/** The link was used already. */
export function confirmedPage(person: Omit<Person, 'isSubscribed'>): string {
  return page(person, pageTexts[person.language].doiUsed, [`<p>${fillText(person, 'doiUsedText')}</p>`])
}

/** The link has expired: offers a new one, or says that it was requested. */
export function expiredPage(person: Omit<Person, 'isSubscribed'>, isRenewed: boolean): string {
  const texts = pageTexts[person.language]
  if (isRenewed) return page(person, texts.doiRenewed, [`<p role="status">${texts.doiRenewedText}</p>`])
  return page(person, texts.doiExpired, [
    `<p>${texts.doiExpiredText}</p>`,
    form(`${person.path}/confirm`, `<button name="action" value="renew">${texts.doiRenew}</button>`),
  ])
}

/** A page without a recipient: a test message, an error. */
export function messagePage(language: PageLanguage, about: 'test' | 'failed'): string {
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

function dayIn(language: PageLanguage, date: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(date)
}

function fillText({ language, email, client }: Omit<Person, 'isSubscribed'>, key: TextKey): string {
  const text: string = pageTexts[language][key]
  return text
    .replaceAll('{email}', () => `<strong>${escapeHtml(email)}</strong>`)
    .replaceAll('{client}', () => escapeHtml(client))
}

function form(action: string, content: string): string {
  return `<form method="post" action="${escapeHtml(action)}">${content}</form>`
}

/** In the client's name, without EMMA's branding, which recipients do not know. */
function page(
  { language, client }: Pick<Person, 'language' | 'client'>,
  title: string,
  content: readonly string[],
): string {
  const sender = escapeHtml(client)
  const head = sender === '' ? '' : `<p class="sender">${sender}</p>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${sender === '' ? title : `${title} · ${sender}`}</title>
<style>${STYLE}</style>
</head>
<body><main>${head}<h1>${title}</h1>${content.join('\n')}</main></body>
</html>`
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
select{font:inherit;display:block;width:100%;padding:.5rem;border:1px solid #71717a;border-radius:8px;background:inherit;color:inherit}
button:focus-visible,input:focus-visible,select:focus-visible,a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#18181b;color:#f4f4f5}main{background:#27272a}.sender{color:#a1a1aa}button{background:#f4f4f5;color:#18181b}input{accent-color:#f4f4f5}}
`
