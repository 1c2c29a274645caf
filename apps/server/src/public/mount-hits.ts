import { type Token, verifyToken } from '@emma/mail/token.ts'
import type { FastifyRequest } from 'fastify'
import type { Hit } from './hit-log.ts'
import type { Public } from './mount-public.ts'
import { sendGone, sendPage } from './send-page.ts'

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The mail is a stranger's HTML on our host: no scripts, no forms, nothing of ours within reach. */
const VIEW_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; style-src 'unsafe-inline' *; font-src *"

/** Open pixel, tracked links, the mail as a web page. */
export function mountHits({ app, tokenKey, hits, campaigns }: Public): void {
  app.get<{ Params: { file: string } }>('/t/o/:file', (request, reply) => {
    const token = verifyToken(tokenKey, request.params.file.replace(/\.gif$/, ''))
    // Whoever asks with a token that is none gets the picture too: a mail must not show a broken one.
    if (token) record(request, token, 'open')
    return reply
      .type('image/gif')
      .header('cache-control', 'no-store, private')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-content-type-options', 'nosniff')
      .send(PIXEL)
  })

  app.get<{ Params: { token: string; index: string } }>('/t/c/:token/:index', async (request, reply) => {
    const { token: text, index } = request.params
    const token = verifyToken(tokenKey, text)
    if (!token || !/^\d{1,5}$/.test(index)) return sendGone(request, reply)
    const target = await campaigns.linkTarget(token, text, Number(index))
    if (target === null) return sendGone(request, reply)
    record(request, token, 'click', Number(index))
    return reply
      .header('cache-control', 'no-store, private')
      .header('referrer-policy', 'no-referrer')
      .redirect(target, 302)
  })

  app.get<{ Params: { token: string } }>('/t/b/:token', async (request, reply) => {
    const token = verifyToken(tokenKey, request.params.token)
    const view = token && (await campaigns.browserView(token, request.params.token))
    if (!token || view === null) return sendGone(request, reply)
    record(request, token, 'view')
    return sendPage(reply, view, VIEW_POLICY)
  })

  /** Tests and seeds are in no figures. */
  function record(request: FastifyRequest, token: Token, type: Hit['type'], linkIndex: number | null = null) {
    if (token.kind === 'test') return
    const { ip, method, headers } = request
    const userAgent = headers['user-agent'] ?? ''
    hits.add({ type, token, at: new Date(), linkIndex, ip, method, headers, userAgent })
  }
}
