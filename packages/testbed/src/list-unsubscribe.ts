import { randomUUID } from 'node:crypto'
import { parseAddress } from '@emma/mail/address.ts'
import { domainOf } from './find-provider.ts'
import { headerField } from './message-summary.ts'
import { rfc5322Date } from './report-mail.ts'

/** Unsubscribe methods in a message's header. */
export interface UnsubscribeWays {
  /** URL of the one-click POST (RFC 8058); null without List-Unsubscribe-Post. */
  oneClick: string | null
  /** The mailto of List-Unsubscribe (RFC 2369). */
  mailto: { to: string; subject: string; body: string } | null
}

/** Parses List-Unsubscribe and List-Unsubscribe-Post of a raw message. */
export function readUnsubscribeWays(raw: Buffer): UnsubscribeWays {
  const addresses = [...headerField(raw, 'list-unsubscribe').matchAll(/<([^<>]{1,2000})>/g)]
    .map(match => match[1]?.replace(/\s/g, '') ?? '')
    .filter(address => URL.canParse(address))
    .map(address => new URL(address))
  const isOneClick = headerField(raw, 'list-unsubscribe-post').toLowerCase() === 'list-unsubscribe=one-click'
  const web = addresses.find(url => url.protocol === 'https:' || url.protocol === 'http:')
  const mail = addresses.find(url => url.protocol === 'mailto:')
  return { oneClick: isOneClick && web ? web.href : null, mailto: mail ? readMailto(mail) : null }
}

function readMailto(url: URL): UnsubscribeWays['mailto'] {
  const to = parseAddress(decode(url.pathname))
  if (!to.ok) return null
  const field = (name: string) => (url.searchParams.get(name) ?? '').replace(/[\r\n]+/g, ' ').slice(0, 500)
  return { to: to.email, subject: field('subject') || 'unsubscribe', body: field('body') || 'unsubscribe' }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Builds the message that a mail program sends for a mailto unsubscribe. */
export function buildUnsubscribeMail(
  from: string,
  mailto: NonNullable<UnsubscribeWays['mailto']>,
  now: Date,
): Buffer {
  const lines = [
    `From: <${from}>`,
    `To: <${mailto.to}>`,
    `Subject: ${mailto.subject}`,
    `Date: ${rfc5322Date(now)}`,
    `Message-ID: <${randomUUID()}@${domainOf(from)}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    mailto.body,
    '',
  ]
  return Buffer.from(lines.join('\r\n'), 'utf8')
}
