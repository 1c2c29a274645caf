import { accepted, asList, asObject, asText, type EspApi, jsonRequest, readJson } from './esp-api.ts'

/** SparkPost: a transmission with the whole message. One recipient a call: each message is of its own. */
export const sparkpost: EspApi = {
  batch: 1,
  toRequest: ({ secret }, [mail]) =>
    jsonRequest(
      '/api/v1/transmissions',
      { authorization: secret },
      {
        options: { open_tracking: false, click_tracking: false },
        recipients: [{ address: { email: mail?.envelope.to }, metadata: { emma: mail?.reference } }],
        content: { email_rfc822: mail?.raw.toString('utf8') },
      },
    ),
  read({ status, body }) {
    const { id, total_accepted_recipients: count } = asObject(readJson(body).results)
    return status === 200 && count === 1 ? [accepted(`Accepted by SparkPost as ${asText(id)}`)] : null
  },
  explain({ status, body }) {
    const [error] = asList(readJson(body).errors)
    const text = [error?.message, error?.description].map(asText).filter(Boolean).join(': ')
    // 420: the account's allowance is used up.
    if (status === 420) return { about: 'login', text }
    return { about: SUPPRESSED.has(asText(error?.code)) ? 'recipient' : 'mail', text }
  },
}

const SUPPRESSED = new Set(['1902', '5002'])
