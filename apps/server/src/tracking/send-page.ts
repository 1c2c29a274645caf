import type { FastifyReply, FastifyRequest } from 'fastify'
import { messagePage, type PageLanguage } from './page.ts'

/** Our own pages: nothing from elsewhere, no scripts, forms only to us, in nobody's frame. */
const OWN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Sends a page that belongs to one person: kept by nobody, found by nobody. */
export function sendPage(reply: FastifyReply, html: string, policy = OWN_POLICY): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store, private')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex')
    .send(html)
}

/** The page for links that are not ours, too old, or not complete. */
export function sendGone(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply.status(404), messagePage(languageOf(request.headers['accept-language']), 'gone'))
}

/** The language of a page: the first two letters of a language tag, where there are words for it. */
export function languageOf(tag: string | undefined): PageLanguage {
  const language = tag?.trim().slice(0, 2).toLowerCase()
  return language === 'de' || language === 'es' ? language : 'en'
}
