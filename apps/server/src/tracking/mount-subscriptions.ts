import { findByAddress } from '@emma/core/audience/members/email-recipient.ts'
import { resubscribeRecipient, unsubscribeRecipient } from '@emma/core/audience/subscription.ts'
import { isFrequency, readFrequency, setFrequency } from '@emma/core/audience/contact-frequency.ts'
import { queueProcessMail } from '@emma/core/content/queue-process-mail.ts'
import { pauseWeeks, readPause, setPause } from '@emma/core/audience/contact-pause.ts'
import { type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formOf } from './form-of.ts'
import { askPage, messagePage, preferencesPage } from './page.ts'
import { findPerson, type PersonOfMail } from './person.ts'
import { languageOf, sendPage } from './send-page.ts'
import type { Public } from './public.ts'

type Path = { Params: { token: string }; Body: unknown }

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

  app.get<Path>('/u/:token/preferences', (request, reply) => withPerson(request, reply, showPreferences))

  app.post<Path>('/u/:token/preferences', (request, reply) =>
    withPerson(request, reply, async person => {
      const form = formOf(request)
      const action = form.get('action')
      const change = { source: 'preferences', ip: request.ip, lang: person.language } as const
      if (action === 'subscribe') await resubscribeRecipient(db, person.recipient, change)
      if (action === 'unsubscribe') await unsubscribeRecipient(db, person.recipient, change)
      if (action === 'save') {
        await save(person, form, request.ip)
        await queueProfileMail(person)
      }
      return showPreferences(person, action !== null)
    }),
  )

  async function showPreferences(person: PersonOfMail, isSaved = false): Promise<string> {
    const { client_id } = person.recipient.table
    const [memberships, frequency, pausedUntil] = await Promise.all([
      findByAddress(db, person.recipient),
      readFrequency(db, client_id, person.email),
      readPause(db, client_id, person.email),
    ])
    return preferencesPage(person, memberships, { frequency, pausedUntil }, isSaved)
  }

  /** Checked boxes stay or become subscribed, the others are unsubscribed. */
  async function save(person: PersonOfMail, form: URLSearchParams, ip: string): Promise<void> {
    const wanted = new Set(form.getAll('list'))
    const change = { source: 'preferences', ip, lang: person.language } as const
    const memberships = await findByAddress(db, person.recipient)
    const isWanted = (membership: (typeof memberships)[number]) =>
      wanted.has(String(membership.table.member_table_id))
    // Unsubscribes first: subscribing again may have to wait for an import, and fail.
    for (const membership of memberships)
      if (!isWanted(membership) && membership.isSubscribed) await unsubscribeRecipient(db, membership, change)
    const frequency = form.get('frequency') ?? ''
    if (isFrequency(frequency))
      await setFrequency(db, person.recipient.table.client_id, person.email, frequency)
    const weeks = pauseWeeks.find(choice => String(choice) === form.get('pause'))
    if (weeks !== undefined) await setPause(db, person.recipient, weeks)
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
    const html = await show(person)
    return html === null ? pages.sendUnsubscribed(reply, person, text) : sendPage(reply, html)
  }
}
