import { fault } from '@emma/contract/faults.ts'
import type { MailboxServer } from '@emma/core/deliverability/placement/awaited-mails.ts'
import { guardedFetch, type Reach } from '../provider/guarded-fetch.ts'
import { MailboxFault } from './mailbox.ts'

interface TokenRequest extends Pick<MailboxServer, 'token_url' | 'oauth_client_id' | 'oauth_scope'> {
  clientSecret: string | null
  refreshToken: string
}

export interface AccessToken {
  accessToken: string
  /** A new refresh token, which replaces the one it was fetched with; null: that one stays valid. */
  refreshToken: string | null
}

/**
 * Fetches an access token for a refresh token (RFC 6749, 6).
 * @throws MailboxFault if the provider gives none
 */
export async function fetchAccessToken(request: TokenRequest, reach: Reach): Promise<AccessToken> {
  const refused = (reply: string, cause?: unknown) =>
    new MailboxFault(fault('imap.token', { reply: reply.slice(0, 300) }), cause)
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: request.refreshToken,
    client_id: request.oauth_client_id ?? '',
    ...(request.clientSecret === null ? {} : { client_secret: request.clientSecret }),
    ...(request.oauth_scope ? { scope: request.oauth_scope } : {}),
  })
  let response: Response
  let answer: Record<string, unknown>
  try {
    response = await guardedFetch(reach)(request.token_url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
    })
    const parsed: unknown = await response.json()
    answer = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch (error) {
    throw refused(error instanceof Error ? error.name : 'no answer', error)
  }
  const { access_token: accessToken, refresh_token: refreshToken, error } = answer
  if (!response.ok || typeof accessToken !== 'string')
    throw refused(typeof error === 'string' ? error : String(response.status))
  return { accessToken, refreshToken: typeof refreshToken === 'string' ? refreshToken : null }
}
