import { EmmaError } from '@emma/contract/errors.ts'

/** An SMTP reply that refuses a command. @param message begins with the enhanced status code (RFC 3463) */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/**
 * The SMTP reply for an error. What a user can switch on, and what may be over later, is temporary, so that programs
 * keep the mail.
 * @param code for errors of the message or the login: 550 or 535
 */
export function refusalOf(error: unknown, code: 535 | 550): Error {
  if (error instanceof Error && 'responseCode' in error) return error
  if (!(error instanceof EmmaError)) return refusal(451, '4.3.0 Try again later')
  const status = code === 535 ? '5.7.8' : '5.6.0'
  if (error.code === 'token_invalid') return refusal(535, '5.7.8 The API key is not known')
  if (error.code === 'wrong_state' && code === 550) return refusal(451, `4.3.2 ${lineOf(error.message)}`)
  const fields = error.fields?.map(({ field, message }) => `${field} ${message}`).join(', ')
  return refusal(code, `${status} ${lineOf(fields || error.message)}`)
}

/** One line of a reply (RFC 5321, 4.5.3.1.5: 512 octets). */
function lineOf(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]+/g, ' ').slice(0, 400)
}
