import {
  type Confirmation,
  confirmRequest,
  type ConfirmationLink,
  findConfirmation,
  renewRequest,
} from '@emma/core/audience/double-opt-in.ts'
import { signToken, type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formOf } from './form-of.ts'
import { confirmedPage, confirmPage, expiredPage, messagePage } from './page.ts'
import type { Public } from './public.ts'
import { languageOf, sendPage } from './send-page.ts'

type Path = { Params: { token: string }; Body: unknown }

/**
 * Mounts the links of confirmation requests (double opt-in). GET displays, POST confirms: scanners follow every link,
 * and must not subscribe anybody. Works without scripts.
 */
export function mountConfirmations({ app, db, tokenKey, pages }: Public): void {
  app.get<Path>('/u/:token/confirm', (request, reply) =>
    withLink(request, reply, async ({ link }) => showLink(request, reply, link)),
  )

  app.post<Path>('/u/:token/confirm', (request, reply) =>
    withLink(request, reply, async ({ link, token }) => {
      const { clientId, campaignId, memberId } = token
      const userAgent = request.headers['user-agent'] ?? null
      const confirmation: Confirmation = { clientId, campaignId, memberId, ip: request.ip, userAgent }
      if (formOf(request).get('action') === 'renew') {
        await renewRequest(db, confirmation)
        return sendPage(reply, expiredPage(personOf(request, link), true))
      }
      const state = await confirmRequest(db, confirmation)
      if (state !== 'open') return showLink(request, reply, { ...link, state })
      const pageToken = signToken(tokenKey, { ...token, kind: 'campaign' }, 'page')
      return pages.sendThanks(reply, link, clientId, pageToken)
    }),
  )

  async function showLink(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    link: ConfirmationLink,
  ): Promise<FastifyReply> {
    const person = personOf(request, link)
    if (link.state === 'unknown') return pages.sendGone(request, reply)
    if (link.state === 'used') return sendPage(reply, confirmedPage(person))
    return sendPage(reply, link.state === 'expired' ? expiredPage(person, false) : confirmPage(person))
  }

  async function withLink(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    show: (known: { link: ConfirmationLink; token: Token }) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const token = verifyToken(tokenKey, request.params.token, 'page')
    if (token?.kind === 'test')
      return sendPage(reply, messagePage(languageOf(request.headers['accept-language']), 'test'))
    const link = token?.kind === 'doi' ? await findConfirmation(db, token) : null
    return token && link ? show({ link, token }) : pages.sendGone(request, reply, token?.clientId)
  }
}

function personOf({ params }: FastifyRequest<Path>, { email, client, lang }: ConfirmationLink) {
  return { email, client, language: lang, path: `/u/${params.token}` }
}
