import { verify, X509Certificate } from 'node:crypto'
import { asObject, asText } from './esp-event.ts'
import { isRecent } from './verify-webhook.ts'

/** A message of Amazon SNS: a notification, or the request to confirm a subscription. */
export type SnsMessage = { type: 'notification'; message: unknown } | { type: 'confirm'; url: string }

/** Fetches the text at an https URL. */
export type FetchText = (url: string) => Promise<string>

/**
 * Verifies and parses an SNS message; null if it is not genuine. The certificate must come from Amazon's own host.
 * Anybody can have messages of their own topic signed, so the topic must be the expected one.
 */
export async function readSns(
  json: unknown,
  topic: string,
  fetchText: FetchText,
): Promise<SnsMessage | null> {
  const said = asObject(json)
  const type = asText(said.Type)
  const fields = SIGNED.get(type)
  if (!fields || topic === '' || said.TopicArn !== topic) return null
  const certificateUrl = amazonUrl(asText(said.SigningCertURL))
  if (!certificateUrl || !CERTIFICATE_PATH.test(certificateUrl.pathname)) return null
  if (!isRecent(Date.parse(asText(said.Timestamp)))) return null
  const text = fields
    .filter(name => said[name] !== undefined)
    .map(name => `${name}\n${asText(said[name])}\n`)
    .join('')
  try {
    const certificate = new X509Certificate(await fetchText(certificateUrl.href))
    const isValid = new Date(certificate.validFrom) < new Date() && new Date() < new Date(certificate.validTo)
    const hash = said.SignatureVersion === '2' ? 'sha256' : 'sha1'
    const signature = Buffer.from(asText(said.Signature), 'base64')
    if (!isValid || !verify(hash, Buffer.from(text), certificate.publicKey, signature)) return null
  } catch {
    return null
  }
  if (type === 'Notification') return { type: 'notification', message: parse(asText(said.Message)) }
  const confirmUrl = amazonUrl(asText(said.SubscribeURL))
  return confirmUrl ? { type: 'confirm', url: confirmUrl.href } : null
}

const SIGNED = new Map<string, readonly string[]>([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  [
    'SubscriptionConfirmation',
    ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  ],
])

const CERTIFICATE_PATH = /^\/SimpleNotificationService-[\w-]+\.pem$/

/** A URL of SNS in any region. */
function amazonUrl(text: string): URL | null {
  const url = URL.parse(text)
  const isAmazon = /^sns\.[a-z0-9-]{4,30}\.amazonaws\.com(?:\.cn)?$/.test(url?.hostname ?? '')
  return url && isAmazon && url.protocol === 'https:' && url.port === '' ? url : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
