import type { FastifyReply } from 'fastify'
import type { PageLanguage } from './page.ts'

/** Our own pages: no scripts, of other hosts only the client's logo, forms only to us, no framing. */
const OWN_POLICY =
  "default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Sends a page for one recipient: neither cached nor indexed. */
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

/** Language of a page: the first two letters of a language tag, if there are texts in it. */
export function languageOf(tag: string | undefined): PageLanguage {
  const language = tag?.trim().slice(0, 2).toLowerCase()
  return language === 'de' || language === 'es' ? language : 'en'
}
