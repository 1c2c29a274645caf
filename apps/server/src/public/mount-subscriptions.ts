import { isFrequency, readFrequency, setFrequency } from '@emma/delivery/6-react/set-frequency.ts'
import { resubscribeMember, unsubscribeMember } from '@emma/delivery/6-react/set-subscription.ts'
import { type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Public } from './mount-public.ts'
import { askPage, donePage, messagePage, preferencesPage } from './page.ts'
import { findPerson, type PersonOfMail, readSubscriptions } from './person.ts'
import { languageOf, sendGone, sendPage } from './send-page.ts'

type Path = { Params: { token: string }; Body: unknown }

/**
 * Unsubscribe and preferences. GET shows, POST acts: scanners follow every link of a mail, and must not unsubscribe
 * anybody. Everything works without scripts.
 */
export function mountSubscriptions({ app, sql, tokenKey, campaigns }: Public): void {
  app.get<Path>('/u/:token', (request, reply) =>
    withPerson(request, reply, async person => (person.isSubscribed ? askPage(person) : donePage(person))),
  )

  app.post<Path>('/u/:token', (request, reply) =>
    withPerson(request, reply, async person => {
      const isOneClick = formOf(request).get('List-Unsubscribe') === 'One-Click'
      await unsubscribeMember(sql, person.member, isOneClick ? 'one-click' : 'page', request.ip)
      return donePage(person)
    }),
  )

  app.get<Path>('/u/:token/preferences', (request, reply) => withPerson(request, reply, showPreferences))

  app.post<Path>('/u/:token/preferences', (request, reply) =>
    withPerson(request, reply, async person => {
      const form = formOf(request)
      const action = form.get('action')
      if (action === 'subscribe') await resubscribeMember(sql, person.member, request.ip)
      if (action === 'unsubscribe') await unsubscribeMember(sql, person.member, 'preferences', request.ip)
      if (action === 'save') await save(person, form, request.ip)
      return showPreferences(person, action !== null)
    }),
  )

  async function showPreferences(person: PersonOfMail, isSaved = false): Promise<string> {
    const [subscriptions, frequency] = await Promise.all([
      readSubscriptions(sql, person),
      readFrequency(sql, person.member.clientId, person.email),
    ])
    return preferencesPage(person, subscriptions, frequency, isSaved)
  }

  /** Boxes that were ticked stay or become subscriptions, the others end. */
  async function save(person: PersonOfMail, form: URLSearchParams, ip: string): Promise<void> {
    const wanted = new Set(form.getAll('list'))
    for (const { member, isSubscribed } of await readSubscriptions(sql, person)) {
      const isWanted = wanted.has(String(member.memberTableId))
      if (isWanted && !isSubscribed) await resubscribeMember(sql, member, ip)
      if (!isWanted && isSubscribed) await unsubscribeMember(sql, member, 'preferences', ip)
    }
    const frequency = form.get('frequency') ?? ''
    if (isFrequency(frequency)) await setFrequency(sql, person.member.clientId, person.email, frequency)
  }

  async function withPerson(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    show: (person: PersonOfMail) => Promise<string>,
  ): Promise<FastifyReply> {
    const text = request.params.token
    const token: Token | null = verifyToken(tokenKey, text)
    if (token?.kind === 'test')
      return sendPage(reply, messagePage(languageOf(request.headers['accept-language']), 'test'))
    const snapshot = token && (await campaigns.find(token))
    const person = token && snapshot && (await findPerson(sql, snapshot, token, text))
    return person ? sendPage(reply, await show(person)) : sendGone(request, reply)
  }
}

function formOf(request: FastifyRequest<Path>): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}
