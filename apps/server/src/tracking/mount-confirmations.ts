import {
  type Confirmation,
  confirmRequest,
  findConfirmation,
  renewRequest,
} from '@emma/core/audience/double-opt-in.ts'
import type { ConfirmationLink } from '@emma/core/audience/find-request.ts'
import { confirmDataRequest, findDataRequest } from '@emma/core/audience/preferences/data-request.ts'
import { findBrand } from '@emma/core/content/find-brand.ts'
import { signToken, type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formOf } from './form-of.ts'
import {
  confirmedPage,
  confirmPage,
  expiredPage,
  type LinkPerson,
  messagePage,
  outcomePage,
  requestPage,
} from './page.ts'
import type { Public } from './public.ts'
import { languageOf, ownPolicy, sendPage } from './send-page.ts'

type Path = { Params: { token: string }; Body: unknown }

/**
 * Mounts the links that confirm: a subscription (double opt-in), or what was asked for on the preference page. GET
 * displays, POST confirms: scanners follow every link, and must change nothing. Works without scripts.
 */
export function mountConfirmations({ app, db, tokenKey, pages }: Public): void {
  app.get<Path>('/u/:token/confirm', (request, reply) =>
    withLink(request, reply, ({ link, token }) => showLink(request, reply, link, token)),
  )

  app.post<Path>('/u/:token/confirm', (request, reply) =>
    withLink(request, reply, async ({ link, token }) => {
      const { clientId, campaignId, memberId } = token
      const userAgent = request.headers['user-agent'] ?? null
      const confirmation: Confirmation = { clientId, campaignId, memberId, ip: request.ip, userAgent }
      if (link.purpose !== 'subscription') return sendData(request, reply, link, confirmation)
      if (formOf(request).get('action') === 'renew') {
        await renewRequest(db, confirmation)
        return sendPage(reply, expiredPage(await personOf(request, link, clientId), true))
      }
      const state = await confirmRequest(db, confirmation)
      if (state !== 'open') return showLink(request, reply, { ...link, state }, token)
      if (link.confirmed_url !== null) return reply.redirect(link.confirmed_url, 303)
      const pageToken = signToken(tokenKey, { ...token, kind: 'campaign' }, 'page')
      return pages.sendThanks(reply, link, clientId, pageToken)
    }),
  )

  async function showLink(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    link: ConfirmationLink,
    { clientId }: Token,
  ): Promise<FastifyReply> {
    if (link.state === 'unknown') return pages.sendGone(request, reply)
    const person = await personOf(request, link, clientId)
    if (link.purpose !== 'subscription') return sendPage(reply, pageOfRequest(person, link))
    if (link.state === 'used') return sendPage(reply, confirmedPage(person))
    if (link.state === 'expired') return sendPage(reply, expiredPage(person, false))
    return sendPage(reply, confirmPage(person), ownPolicy(link.confirmed_url))
  }

  /** Does what a link of the preference page is for. The copy of the data is a download, and nothing keeps it. */
  async function sendData(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    link: ConfirmationLink,
    confirmation: Confirmation,
  ): Promise<FastifyReply> {
    const answer = await confirmDataRequest(db, confirmation)
    const { state } = answer
    if (state === 'unknown') return pages.sendGone(request, reply)
    if (state === 'exported')
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="data.json"')
        .header('cache-control', 'no-store, private')
        .header('x-content-type-options', 'nosniff')
        .send(JSON.stringify(answer.data, null, 2))
    const person = await personOf(request, link, confirmation.clientId)
    if (state === 'used' || state === 'expired')
      return sendPage(reply, pageOfRequest(person, { ...link, state }))
    return sendPage(reply, outcomePage(person, state))
  }

  async function personOf(
    { params }: FastifyRequest<Path>,
    { email, client, lang }: ConfirmationLink,
    clientId: number,
  ): Promise<LinkPerson> {
    const brand = await findBrand(db, clientId)
    return { email, client, language: lang, path: `/u/${params.token}`, brand }
  }

  async function withLink(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    show: (known: { link: ConfirmationLink; token: Token }) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const token = verifyToken(tokenKey, request.params.token, 'page')
    if (token?.kind === 'test')
      return sendPage(reply, messagePage(languageOf(request.headers['accept-language']), 'test'))
    const link =
      token?.kind === 'doi'
        ? ((await findConfirmation(db, token)) ?? (await findDataRequest(db, token)))
        : null
    return token && link ? show({ link, token }) : pages.sendGone(request, reply, token?.clientId)
  }
}

function pageOfRequest(person: LinkPerson, { state, purpose }: ConfirmationLink): string {
  if (state === 'expired') return outcomePage(person, 'requestExpired')
  if (state === 'used' || purpose === 'subscription') return outcomePage(person, 'requestUsed')
  return requestPage(person, purpose)
}
