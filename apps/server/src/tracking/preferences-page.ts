import { type Frequency, frequencyNames } from '@emma/contract/contact-frequency.ts'
import { formTexts } from '@emma/contract/web-forms/form-texts.ts'
import { pauseWeeks } from '@emma/core/audience/contact-pause.ts'
import type { EmailRecipient } from '@emma/core/audience/members/email-recipient.ts'
import type { Topic } from '@emma/core/audience/preferences/topics.ts'
import { escapeHtml } from './escape-html.ts'
import { dayIn, fillText, form, page, type PageLanguage, type Person } from './page.ts'
import { pageTexts } from './page-texts.ts'

/** A datasource that has the address, with its topics. */
export type Membership = EmailRecipient & { name: string; topics: readonly Topic[] }

/** What an address has chosen for all emails of a client. */
export interface ContactChoices {
  frequency: Frequency
  /** Null: not paused. */
  pausedUntil: Date | null
}

/** `isSaved`: choices were stored. `addressFault`: the new address that was entered is none. */
export interface PreferencesState {
  isSaved?: boolean
  addressFault?: string
}

const languageNames: Record<PageLanguage, string> = { en: 'English', de: 'Deutsch', es: 'Español' }

/** Page on which people choose what they get, without login and without script. */
export function preferencesPage(
  person: Person,
  memberships: readonly Membership[],
  choices: ContactChoices,
  { isSaved = false, addressFault }: PreferencesState = {},
): string {
  const texts = pageTexts[person.language]
  const path = `${person.path}/preferences`
  return page(person, texts.preferences, [
    isSaved ? `<p role="status"><strong>${texts.saved}</strong></p>` : '',
    `<p>${fillText(person, 'preferencesText')}</p>`,
    form(
      path,
      `${subscriptions(person, memberships)}
${frequency(person, choices)}
${pause(person, choices)}
${languages(person)}
<button name="action" value="save">${texts.save}</button>`,
    ),
    memberships.length === 0 ? '' : requests(person, path, addressFault),
  ])
}

function subscriptions({ language }: Person, memberships: readonly Membership[]): string {
  const texts = pageTexts[language]
  const boxes = memberships.map(membership => {
    const { name, isSubscribed, table } = membership
    const box = checkbox('list', String(table.member_table_id), name, isSubscribed)
    return box + topics(membership, formTexts[language].topics)
  })
  return `<fieldset><legend>${texts.lists}</legend>${boxes.join('')}</fieldset>`
}

/** `shown` names the topics of the page: one that was added later keeps its value. */
function topics({ name, table, topics: all }: Membership, title: string): string {
  if (all.length === 0) return ''
  const boxes = all.map(({ column, name: topic, isChosen }) => {
    const value = `${table.member_table_id}.${column}`
    return `<input type="hidden" name="shown" value="${value}">${checkbox('topic', value, topic, isChosen)}`
  })
  return `<div class="topics" role="group" aria-label="${escapeHtml(`${name}: ${title}`)}">${boxes.join('')}</div>`
}

function frequency({ language }: Person, choices: ContactChoices): string {
  const texts = formTexts[language]
  const options = frequencyNames.map(choice => {
    const state = choice === choices.frequency ? ' checked' : ''
    return `<label><input type="radio" name="frequency" value="${choice}"${state}> ${texts[choice]}</label>`
  })
  return `<fieldset><legend>${texts.frequency}</legend>${options.join('')}</fieldset>`
}

function pause({ language }: Person, { pausedUntil }: ContactChoices): string {
  const texts = pageTexts[language]
  const options = pauseWeeks.map(weeks =>
    option(String(weeks), texts[`pause${weeks}`], pausedUntil === null && weeks === 0),
  )
  const until =
    pausedUntil && option('', texts.pausedUntil.replace('{date}', dayIn(language, pausedUntil)), true)
  return `<p><label for="pause">${texts.pause}</label><select id="pause" name="pause">${until ?? ''}${options.join('')}</select></p>`
}

function languages({ language }: Person): string {
  const options = Object.entries(languageNames).map(([code, name]) => option(code, name, code === language))
  return `<p><label for="language">${pageTexts[language].language}</label><select id="language" name="language">${options.join('')}</select></p>`
}

function requests(person: Person, path: string, addressFault: string | undefined): string {
  const texts = pageTexts[person.language]
  const isFaulty = addressFault !== undefined
  const fault = isFaulty ? `<p class="error" id="address-fault" role="alert">${texts.addressFault}</p>` : ''
  const state = isFaulty ? ` aria-invalid="true" aria-describedby="address-fault" autofocus` : ''
  return `<h2>${texts.address}</h2>
<p>${texts.addressText}</p>
${form(
  path,
  `<p><label for="email">${texts.newAddress}</label><input id="email" type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(addressFault ?? '')}"${state}></p>${fault}
<button class="plain" name="action" value="address">${texts.addressSend}</button>`,
)}
<h2>${texts.data}</h2>
<p>${fillText(person, 'dataText')}</p>
${form(
  path,
  `<button class="plain" name="action" value="export">${texts.exportSend}</button>
<button class="plain" name="action" value="erasure">${texts.erasureSend}</button>`,
)}`
}

function checkbox(name: string, value: string, label: string, isChecked: boolean): string {
  const state = isChecked ? ' checked' : ''
  return `<label><input type="checkbox" name="${name}" value="${value}"${state}> ${escapeHtml(label)}</label>`
}

function option(value: string, label: string, isSelected: boolean): string {
  return `<option value="${value}"${isSelected ? ' selected' : ''}>${label}</option>`
}
