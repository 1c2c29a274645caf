import type { ConfirmationLink } from '@emma/core/audience/find-request.ts'
import { renderProcessPage } from '@emma/core/content/process-page.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Segments } from '@emma/mail/segments.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBoundedMap } from '../bounded-map.ts'
import type { PersonOfMail } from './person.ts'
import { languageOf, sendPage } from './send-page.ts'

/** Landing pages with the texts of the client, or the shipped ones. */
export interface ProcessPages {
  /** Confirms an unsubscription, and offers to subscribe again. */
  sendUnsubscribed(reply: FastifyReply, person: PersonOfMail, token: string): Promise<FastifyReply>
  /** Thanks for a confirmation. @param token of the recipient's links */
  sendThanks(
    reply: FastifyReply,
    link: ConfirmationLink,
    clientId: number,
    token: string,
  ): Promise<FastifyReply>
  /**
   * Page for unknown, expired or incomplete links.
   * @param clientId of a verified token; without one, the shipped page needs no database
   */
  sendGone(request: FastifyRequest, reply: FastifyReply, clientId?: number | null): Promise<FastifyReply>
}

/**
 * A page of the client is untrusted HTML on our host: no scripts, no access to our origin, no refresh to other hosts,
 * forms only to us, no framing. Its pictures are loaded over https.
 */
const PAGE_POLICY =
  "sandbox allow-forms allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Pages of at most `MOST_PAGES` clients and languages are kept compiled. */
const MOST_PAGES = 100

export function createProcessPages(db: Db): ProcessPages {
  const compiled = createBoundedMap<Segments>(MOST_PAGES)
  return {
    async sendUnsubscribed(reply, person, token) {
      const { language: lang, email, recipient } = person
      const request = {
        process: 'page_unsub',
        lang,
        clientId: recipient.table.client_id,
        member: { email },
        pageToken: token,
      } as const
      const html = await renderProcessPage(db, request, compiled)
      return sendPage(reply, html, PAGE_POLICY)
    },
    async sendThanks(reply, { lang, email, form_id: formId }, clientId, pageToken) {
      const member = { email }
      const request = { process: 'page_thanks', lang, clientId, member, formId, pageToken } as const
      return sendPage(reply, await renderProcessPage(db, request, compiled), PAGE_POLICY)
    },
    async sendGone(request, reply, clientId = null) {
      const lang = languageOf(request.headers['accept-language'])
      const html = await renderProcessPage(db, { process: 'page_error', lang, clientId }, compiled)
      return sendPage(reply.status(reply.statusCode < 400 ? 404 : reply.statusCode), html, PAGE_POLICY)
    },
  }
}
