import type { FastifyReply } from 'fastify'
import type { PageLanguage } from './page.ts'

/**
 * Policy of our own pages: no scripts, of other hosts only the client's logo, forms only to us, no framing.
 * @param target page that a form redirects to, as browsers apply form-action to redirects as well
 */
export function ownPolicy(target: string | null = null): string {
  return `default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; ${formAction(target)}; frame-ancestors 'none'; base-uri 'none'`
}

/** Directive for forms to us, and for the redirect to another page. */
export function formAction(target: string | null): string {
  return `form-action 'self'${target === null ? '' : ` ${new URL(target).origin}`}`
}

/** Sends a page for one recipient: neither cached nor indexed. */
export function sendPage(reply: FastifyReply, html: string, policy = ownPolicy()): FastifyReply {
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
