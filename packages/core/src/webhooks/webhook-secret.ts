import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** Generates a secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
export function makeWebhookSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/**
 * Value of the header `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body`, once for each secret.
 *
 * @param timestamp seconds since 1970, as in the header `webhook-timestamp`
 */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map(secret => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
