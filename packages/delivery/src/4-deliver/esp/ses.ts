import { accepted, asText, type EspApi, jsonRequest, readJson } from './esp-api.ts'
import { rawOf } from './esp-mail.ts'
import { signAws } from './sign-aws.ts'

/**
 * Amazon SES, API v2: SendEmail with the raw message. (SendBulkEmail fills SES templates, which EMMA does not use.)
 */
export const ses: EspApi = {
  batch: 1,
  toRequest(login, [mail], now) {
    const body = {
      Destination: { ToAddresses: [mail?.envelope.to] },
      Content: { Raw: { Data: mail && rawOf(mail).toString('base64') } },
      EmailTags: [{ Name: 'emma', Value: mail?.reference }],
      // SES publishes events only for messages with a configuration set.
      ...(login.configurationSet ? { ConfigurationSetName: login.configurationSet } : {}),
    }
    return signAws(jsonRequest('/v2/email/outbound-emails', {}, body), login, now)
  },
  read({ status, body }) {
    const id = asText(readJson(body).MessageId)
    return status === 200 && id !== '' ? [accepted(`Accepted by Amazon SES as ${id}`)] : null
  },
  explain({ headers, body }) {
    const [kind = ''] = String(headers['x-amzn-errortype'] ?? '').split(':')
    const text = `${kind} ${asText(readJson(body).message)}`.trim()
    return { about: ABOUT_US.test(kind) ? 'login' : 'mail', text }
  },
}

const ABOUT_US =
  /^(?:AccountSuspended|SendingPaused|LimitExceeded|MailFromDomainNotVerified|NotFound|Throttling|InvalidClientTokenId|UnrecognizedClient|ExpiredToken|SignatureDoesNotMatch|AccessDenied)/
