import { signTokens, type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyRequest } from 'fastify'
import { isForwardedBy } from './client-address.ts'
import type { TrackingEvent } from './tracking-event.ts'
import { CLICK_HEADERS, OPEN_HEADERS, PIXEL } from './event-responses.ts'
import { isPrefetch } from './read-event-request.ts'
import { leavePage } from './page.ts'
import { languageOf, sendPage } from './send-page.ts'
import type { Public } from './public.ts'

/** The message is untrusted HTML on our host: no scripts, no forms, no access to our origin. */
const VIEW_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; style-src 'unsafe-inline' *; font-src *"

/** Mounts open pixel, tracked links and browser view. */
export function mountEvents({ app, tokenKey, journal, campaigns, pages, isTrustedProxy }: Public): void {
  app.get<{ Params: { file: string } }>('/t/o/:file', (request, reply) => {
    const text = request.params.file.replace(/\.gif$/, '')
    const token = verifyToken(tokenKey, text, 'tracking')
    // An invalid token gets the image too, so that no message shows a broken one.
    if (token) record(request, token, { type: 'open', token: text })
    return reply.type('image/gif').headers(OPEN_HEADERS).send(PIXEL)
  })

  app.get<{ Params: { token: string; index: string } }>('/t/c/:token/:index', async (request, reply) => {
    const { token: text, index } = request.params
    const token = verifyToken(tokenKey, text, 'tracking')
    if (!token || !/^\d{1,5}$/.test(index)) return pages.sendGone(request, reply)
    const target = await campaigns.linkTarget(token, Number(index))
    if (target === null) return pages.sendGone(request, reply, token.clientId)
    record(request, token, { type: 'click', token: text, linkIndex: Number(index) })
    if (target.askAs !== null) {
      const language = languageOf(request.headers['accept-language'])
      return sendPage(reply, leavePage({ language, client: target.askAs }, target.url))
    }
    return reply.headers(CLICK_HEADERS).redirect(target.url, 302)
  })

  app.get<{ Params: { token: string } }>('/t/b/:token', async (request, reply) => {
    const token = verifyToken(tokenKey, request.params.token, 'page')
    const view = token && (await campaigns.browserView(token, signTokens(tokenKey, token)))
    if (!token || view === null) return pages.sendGone(request, reply, token?.clientId)
    record(request, token, { type: 'view', token: request.params.token })
    return sendPage(reply, view, VIEW_POLICY)
  })

  /** Seeds and pages of tests do not count. */
  function record(
    { ip, method, headers, socket }: FastifyRequest,
    { kind }: Token,
    hit: Pick<TrackingEvent, 'type' | 'token'> & Partial<TrackingEvent>,
  ): void {
    if (kind === 'test') return
    const signs = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map(name => String(headers[name] ?? ''))
    journal.add({
      linkIndex: null,
      at: Date.now(),
      ip,
      method,
      userAgent: headers['user-agent'] ?? '',
      isAhead: signs.some(isPrefetch),
      isForwarded: isForwardedBy(
        socket.remoteAddress ?? '',
        String(headers['x-forwarded-for'] ?? ''),
        isTrustedProxy,
      ),
      ...hit,
    })
  }
}
