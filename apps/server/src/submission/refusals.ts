import { EmmaError } from '@emma/contract/errors.ts'
import { smtpRefusal } from '../network/bounded-smtp.ts'

/** Whether an error is an SMTP reply already. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'responseCode' in error
}

/**
 * The SMTP reply for an error. What a user can switch on, and what may be over later, is temporary, so that programs
 * keep the mail.
 * @param code for errors of the message or the login: 550 or 535
 */
export function refusalOf(error: unknown, code: 535 | 550): Error {
  if (isRefusal(error)) return error
  if (!(error instanceof EmmaError)) return smtpRefusal(451, '4.3.0 Try again later')
  const status = code === 535 ? '5.7.8' : '5.6.0'
  if (error.code === 'token_invalid') return smtpRefusal(535, '5.7.8 The API key is not known')
  if (error.code === 'wrong_state' && code === 550) return smtpRefusal(451, `4.3.2 ${lineOf(error.message)}`)
  const fields = error.fields?.map(({ field, message }) => `${field} ${message}`).join(', ')
  return smtpRefusal(code, `${status} ${lineOf(fields || error.message)}`)
}

/** One line of a reply (RFC 5321, 4.5.3.1.5: 512 octets). */
function lineOf(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]+/g, ' ').slice(0, 400)
}
