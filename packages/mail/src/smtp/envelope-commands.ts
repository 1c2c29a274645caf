import { needsSmtpUtf8 } from '../address.ts'
import type { Extensions } from './handshake.ts'
import { refusedOutcome, type SmtpOutcome } from './outcome.ts'

interface Envelope {
  from: string
  to: string
  smtpUtf8?: boolean
}

/**
 * Builds MAIL and RCPT with the parameters the server supports (SIZE, 8BITMIME, SMTPUTF8), or returns the outcome if
 * this server cannot accept the message.
 * @param size bytes of the message
 * @param isSevenBit the message is ASCII apart from addresses in its header
 */
export function envelopeCommands(
  { from, to, smtpUtf8 = false }: Envelope,
  size: number,
  isSevenBit: boolean,
  extensions: Extensions,
): { mail: string; rcpt: string } | SmtpOutcome {
  if (!PATH.test(from)) return refusedOutcome('The return path is not an email address.', 'mail', 'other')
  if (to === '' || !PATH.test(to))
    return refusedOutcome('The recipient is not an email address.', 'rcpt', 'bad-mailbox')
  const needsUtf8 = smtpUtf8 || needsSmtpUtf8(from) || needsSmtpUtf8(to)
  if (needsUtf8 && !extensions.has('SMTPUTF8'))
    return {
      ...refusedOutcome('The server cannot take addresses outside ASCII (SMTPUTF8).', 'mail', 'content'),
      // RFC 6531, 3.5, issued by the client. It concerns the route, not the address.
      enhanced: '5.6.7',
    }
  const limit = Number(extensions.get('SIZE') ?? 0)
  if (limit > 0 && size > limit)
    return refusedOutcome(`The server takes messages of up to ${limit} bytes only.`, 'mail', 'content')
  let mail = `MAIL FROM:<${from}>`
  if (extensions.has('SIZE')) mail += ` SIZE=${size}`
  if ((!isSevenBit || needsUtf8) && extensions.has('8BITMIME')) mail += ' BODY=8BITMIME'
  if (needsUtf8) mail += ' SMTPUTF8'
  return { mail, rcpt: `RCPT TO:<${to}>` }
}

/** Content of angle brackets: no character that ends them or the line. */
// oxlint-disable-next-line no-control-regex -- control characters are what it keeps out
const PATH = /^[^\s<>\0-\x1f\x7f]{0,512}$/
