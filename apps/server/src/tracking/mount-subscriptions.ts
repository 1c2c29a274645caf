import { type EmailRecipient, findByAddress } from '@emma/core/audience/members/email-recipient.ts'
import { resubscribeRecipient, unsubscribeRecipient } from '@emma/core/audience/subscription.ts'
import { isFrequency } from '@emma/contract/contact-frequency.ts'
import { readFrequency, setFrequency } from '@emma/core/audience/contact-frequency.ts'
import { queueProcessMail } from '@emma/core/content/queue-process-mail.ts'
import { pauseWeeks, readPause, setPause } from '@emma/core/audience/contact-pause.ts'
import { type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setContactLanguage } from '@emma/core/audience/preferences/contact-language.ts'
import { requestData } from '@emma/core/audience/preferences/data-request.ts'
import { readTopics, setTopics } from '@emma/core/audience/preferences/topics.ts'
import { countAttempt } from '@emma/core/audience/web-forms/count-attempt.ts'
import { parseAddress } from '@emma/mail/address.ts'
import { formOf } from './form-of.ts'
import { askPage, messagePage, outcomePage } from './page.ts'
import { findPerson, type PersonOfMail, withChoices } from './person.ts'
import { preferencesPage, type PreferencesState } from './preferences-page.ts'
import { languageOf, sendPage } from './send-page.ts'
import type { Public } from './public.ts'

type Path = { Params: { token: string }; Body: unknown }

const pageLanguages = ['en', 'de', 'es'] as const

/** Changes of a person within an hour, besides its unsubscription. */
const MOST_CHANGES = 30

/**
 * Mounts unsubscribe and preferences. GET displays, POST changes: scanners follow every link, and must not
 * unsubscribe anybody. Works without scripts.
 */
export function mountSubscriptions({ app, db, tokenKey, campaigns, pages }: Public): void {
  app.get<Path>('/u/:token', (request, reply) =>
    withPerson(request, reply, async person => (person.isSubscribed ? askPage(person) : null)),
  )

  app.post<Path>('/u/:token', (request, reply) =>
    withPerson(request, reply, async person => {
      const isOneClick = formOf(request).get('List-Unsubscribe') === 'One-Click'
      const source = isOneClick ? 'one-click' : 'page'
      await unsubscribeRecipient(db, person.recipient, { source, ip: request.ip, lang: person.language })
      return null
    }),
  )

  app.get<Path>('/u/:token/preferences', (request, reply) =>
    withPerson(request, reply, person => showPreferences(person)),
  )

  app.post<Path>('/u/:token/preferences', (request, reply) =>
    withPerson(request, reply, async person => {
      const form = formOf(request)
      const action = form.get('action')
      const change = { source: 'preferences', ip: request.ip, lang: person.language } as const
      if (action === 'subscribe') await resubscribeRecipient(db, person.recipient, change)
      if (action === 'unsubscribe') await unsubscribeRecipient(db, person.recipient, change)
      if (action === 'subscribe' || action === 'unsubscribe')
        return showPreferences(person, { isSaved: true })
      if (!(await isWithinLimit(person))) return messagePage(person.language, 'tooMany')
      if (action === 'address' || action === 'export' || action === 'erasure')
        return askByMail(person, action, form.get('email') ?? '', request)
      if (action !== 'save') return showPreferences(person)
      await save(person, form, request.ip)
      await queueProfileMail(person)
      const language = pageLanguages.find(code => code === form.get('language')) ?? person.language
      return showPreferences({ ...person, language }, { isSaved: true })
    }),
  )

  async function showPreferences(person: PersonOfMail, state: PreferencesState = {}): Promise<string> {
    const { client_id } = person.recipient.table
    const [memberships, frequency, pausedUntil] = await Promise.all([
      findByAddress(db, person.recipient),
      readFrequency(db, client_id, person.email),
      readPause(db, client_id, person.email),
    ])
    const withTopics = await Promise.all(
      memberships.map(async membership => ({
        ...membership,
        topics: await readTopics(db, membership, person.language),
      })),
    )
    return preferencesPage(person, withTopics, { frequency, pausedUntil }, state)
  }

  /** Mails the link that confirms. The answer to a new address does not tell whether it is in use. */
  async function askByMail(
    person: PersonOfMail,
    purpose: 'address' | 'export' | 'erasure',
    entered: string,
    { ip, headers }: FastifyRequest,
  ): Promise<string> {
    const address = purpose === 'address' ? parseAddress(entered.slice(0, 500)) : null
    if (address?.ok === false) return showPreferences(person, { addressFault: entered.slice(0, 254) })
    const email = address?.email ?? person.email
    const lang = person.language
    const userAgent = headers['user-agent'] ?? null
    await requestData(db, person.recipient, { purpose, email, lang, ip, userAgent })
    return outcomePage({ ...person, email }, 'requested')
  }

  function isWithinLimit({ recipient: { table, memberId } }: PersonOfMail): Promise<boolean> {
    const counted = `preferences\n${table.member_table_id}/${memberId}`
    return countAttempt(db, table.client_id, counted, MOST_CHANGES)
  }

  /** Checked boxes stay or become subscribed, the others are unsubscribed. */
  async function save(person: PersonOfMail, form: URLSearchParams, ip: string): Promise<void> {
    const wanted = new Set(form.getAll('list'))
    const change = { source: 'preferences', ip, lang: person.language } as const
    const { client_id: clientId } = person.recipient.table
    const memberships = await findByAddress(db, person.recipient)
    const isWanted = (membership: (typeof memberships)[number]) =>
      wanted.has(String(membership.table.member_table_id))
    // Unsubscribes first: subscribing again may have to wait for an import, and fail.
    for (const membership of memberships)
      if (!isWanted(membership) && membership.isSubscribed) await unsubscribeRecipient(db, membership, change)
    const frequency = form.get('frequency') ?? ''
    if (isFrequency(frequency)) await setFrequency(db, clientId, person.email, frequency)
    const weeks = pauseWeeks.find(choice => String(choice) === form.get('pause'))
    if (weeks !== undefined) await setPause(db, person.recipient, weeks)
    const language = pageLanguages.find(code => code === form.get('language'))
    if (language) await setContactLanguage(db, clientId, person.email, language)
    for (const membership of memberships) await setTopics(db, membership, choiceOf(form, membership.table))
    for (const membership of memberships)
      if (isWanted(membership) && !membership.isSubscribed) await resubscribeRecipient(db, membership, change)
  }

  /** At most one an hour, and only while the member gets mail. */
  async function queueProfileMail({ recipient, language }: PersonOfMail): Promise<void> {
    const { table, memberId, state } = recipient
    const cause = `preferences ${new Date().toISOString().slice(0, 13)}`
    if (state === 'member')
      await queueProcessMail(db, { table, memberId, process: 'profile', lang: language, cause })
  }

  /** @param show returns the page, or null for the confirmation of an unsubscription */
  async function withPerson(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    show: (person: PersonOfMail) => Promise<string | null>,
  ): Promise<FastifyReply> {
    const text = request.params.token
    const token: Token | null = verifyToken(tokenKey, text, 'page')
    if (token?.kind === 'test')
      return sendPage(reply, messagePage(languageOf(request.headers['accept-language']), 'test'))
    const snapshot = token && (await campaigns.find(token))
    const person = token && snapshot && (await findPerson(db, snapshot, token, text))
    if (!person) return pages.sendGone(request, reply, token?.clientId)
    const html = await show(await withChoices(db, person))
    return html === null ? pages.sendUnsubscribed(reply, person, text) : sendPage(reply, html)
  }
}

/** The topics of a datasource that the page showed, by column, and whether they are checked. */
function choiceOf(form: URLSearchParams, { member_table_id }: EmailRecipient['table']): Map<string, boolean> {
  const prefix = `${member_table_id}.`
  const chosen = new Set(form.getAll('topic'))
  const shown = form.getAll('shown').filter(name => name.startsWith(prefix))
  return new Map(shown.map(name => [name.slice(prefix.length), chosen.has(name)]))
}
