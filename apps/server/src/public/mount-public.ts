import type { Pool, Sql } from '@emma/db/connection.ts'
import {
  type MemberKey,
  resubscribeMember,
  unsubscribeMember,
  type UnsubscribeSource,
} from '@emma/delivery/6-react/set-subscription.ts'
import { type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql as raw } from 'kysely'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { createCampaignPages } from './campaign-pages.ts'
import { createHitLog } from './hit-log.ts'
import { askPage, donePage, gonePage, type PageLanguage, type Person, preferencesPage } from './page.ts'

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export interface PublicContext {
  app: FastifyInstance
  config: Config
  sql: Sql
  pool: Pool
  logger: Logger
}

/**
 * The addresses that mails carry: open, click, browser view, unsubscribe, preferences (R182 ff.; RFC 8058). Answers first,
 * writes afterwards; GET and HEAD change nothing but the log. What is not signed by this house gets a friendly 404.
 */
export function mountPublic({ app, config, sql, pool, logger }: PublicContext): void {
  const key = mailTokenKey(config)
  const log = createHitLog(pool, logger)
  const campaigns = createCampaignPages(sql)
  app.addHook('onClose', () => log.close())
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 10_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  function record(
    request: FastifyRequest,
    token: Token,
    type: 'open' | 'click' | 'view',
    linkIndex: number | null = null,
  ) {
    if (token.kind !== 'campaign') return
    const { ip, method, headers } = request
    log.add({
      type,
      token,
      at: new Date(),
      linkIndex,
      ip,
      method,
      headers,
      userAgent: headers['user-agent'] ?? '',
    })
  }

  app.get<{ Params: { file: string } }>('/t/o/:file', async (request, reply) => {
    const token = verifyToken(key, request.params.file.replace(/\.gif$/, ''))
    if (token) record(request, token, 'open')
    return reply
      .type('image/gif')
      .header('cache-control', 'no-store, private')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(pixel)
  })

  app.get<{ Params: { token: string; index: string } }>('/t/c/:token/:index', async (request, reply) => {
    const { token: text, index } = request.params
    const token = verifyToken(key, text)
    const number = /^\d{1,5}$/.test(index) ? Number(index) : Number.NaN
    const target = token && !Number.isNaN(number) ? await campaigns.linkTarget(token, text, number) : null
    if (!token || target === null) return gone(request, reply)
    record(request, token, 'click', number)
    return reply
      .header('cache-control', 'no-store, private')
      .header('referrer-policy', 'no-referrer')
      .redirect(target, 302)
  })

  app.get<{ Params: { token: string } }>('/t/b/:token', async (request, reply) => {
    const token = verifyToken(key, request.params.token)
    const view = token && (await campaigns.browserView(token, request.params.token))
    if (!token || view === null) return gone(request, reply)
    record(request, token, 'view')
    // The mail is a stranger's HTML on our host: no scripts, no forms, nothing of ours within reach.
    return sendPage(
      reply,
      view,
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; style-src 'unsafe-inline' *; font-src *",
    )
  })

  app.get<{ Params: { token: string } }>('/u/:token', async (request, reply) => {
    const found = await findPerson(request.params.token)
    if (!found) return gone(request, reply)
    return sendPage(reply, found.person.isSubscribed ? askPage(found.person) : donePage(found.person))
  })

  app.post<{ Params: { token: string }; Body: Record<string, string> | undefined }>(
    '/u/:token',
    async (request, reply) => {
      const found = await findPerson(request.params.token)
      if (!found) return gone(request, reply)
      const isOneClick = request.body?.['List-Unsubscribe'] === 'One-Click'
      await act(found.member, isOneClick ? 'one-click' : 'page', request.ip)
      return sendPage(reply, donePage(found.person))
    },
  )

  app.get<{ Params: { token: string } }>('/u/:token/preferences', async (request, reply) => {
    const found = await findPerson(request.params.token)
    return found ? sendPage(reply, preferencesPage(found.person)) : gone(request, reply)
  })

  app.post<{ Params: { token: string }; Body: Record<string, string> | undefined }>(
    '/u/:token/preferences',
    async (request, reply) => {
      const found = await findPerson(request.params.token)
      if (!found) return gone(request, reply)
      const wantsMail = request.body?.action === 'subscribe'
      if (wantsMail) await resubscribeMember(sql, found.member, request.ip)
      else await act(found.member, 'preferences', request.ip)
      return sendPage(reply, preferencesPage({ ...found.person, isSubscribed: wantsMail }))
    },
  )

  async function act(member: MemberKey, source: UnsubscribeSource, ip: string): Promise<void> {
    await unsubscribeMember(sql, member, source, ip)
  }

  async function findPerson(text: string): Promise<{ person: Person; member: MemberKey } | null> {
    const token = verifyToken(key, text)
    const snapshot = token && token.kind === 'campaign' ? await campaigns.find(token) : null
    if (!token || !snapshot || snapshot.memberTableId === null) return null
    const member: MemberKey = {
      clientId: token.clientId,
      memberTableId: snapshot.memberTableId,
      memberId: token.memberId,
      campaignId: token.campaignId,
    }
    const found = await raw<{ email: string; active: boolean }>`
      select email, dateunjoin is null as active from ${raw.table(`members.t${member.memberTableId}`)}
      where client_id = ${member.clientId} and member_id = ${member.memberId}`.execute(sql)
    const row = found.rows[0]
    if (!row) return null
    const person: Person = {
      email: row.email,
      client: snapshot.client.name,
      language: languageOf(snapshot.message.language),
      isSubscribed: row.active,
      path: `/u/${text}`,
    }
    return { person, member }
  }
}

function gone(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wanted = request.headers['accept-language']?.slice(0, 2)
  return sendPage(reply.status(404), gonePage(languageOf(wanted)))
}

function sendPage(
  reply: FastifyReply,
  html: string,
  policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store, private')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex')
    .send(html)
}

function languageOf(text: string | undefined): PageLanguage {
  return text === 'de' || text === 'es' ? text : 'en'
}
