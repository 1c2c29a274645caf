import { join } from 'node:path'
import { fault } from '@emma/contract/faults.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import type { MailboxServer } from '@emma/core/deliverability/placement/awaited-mails.ts'
import type { Config } from '../config.ts'
import { fetchAccessToken } from './access-token.ts'
import { type ImapRules, openImapMailbox } from './imap-mailbox.ts'
import { MailboxFault, type OpenMailbox } from './mailbox.ts'
import { openTestbedMailbox } from './testbed-mailbox.ts'

/** Login data of a mailbox. */
export interface MailboxLogin {
  email: string
  username: string
  /** Password or refresh token, as stored or as just typed. */
  password: { sealed: Buffer | null } | { plain: string }
  server: MailboxServer
}

export interface MailboxContext extends ImapRules {
  /** Of stored secrets. */
  key: Buffer
  testbedFolder: string
  /** Whether token URLs may be on this machine, for tests. */
  allowLoopback: boolean
}

export function mailboxContext(
  config: Pick<Config, 'deriveKey' | 'dataFolder' | 'webhookLoopback' | 'isRelay'>,
): MailboxContext {
  return {
    key: config.deriveKey('secrets at rest'),
    testbedFolder: join(config.dataFolder, 'testbed'),
    allowLoopback: config.webhookLoopback,
    isAllowed: (host, port) => config.webhookLoopback || config.isRelay(host, port),
  }
}

/**
 * Opens a test mailbox.
 * @param onNewRefreshToken called if the provider replaced the refresh token
 * @throws MailboxFault if that is not possible
 */
export async function openMailbox(
  { email, username, password, server }: MailboxLogin,
  context: MailboxContext,
  onNewRefreshToken: (token: string) => Promise<void>,
): Promise<OpenMailbox> {
  if (server.protocol === 'testbed') return openTestbedMailbox(context.testbedFolder, email)
  const secret = 'plain' in password ? password.plain : opened(context.key, password.sealed)
  if (server.auth === 'password')
    return openImapMailbox({ server, user: username, secret: { password: secret } }, context)
  const { accessToken, refreshToken } = await fetchAccessToken(
    {
      ...server,
      clientSecret: server.oauth_client_secret && opened(context.key, server.oauth_client_secret),
      refreshToken: secret,
    },
    context.allowLoopback ? 'loopback' : 'public',
  )
  if (refreshToken !== null) await onNewRefreshToken(refreshToken)
  return openImapMailbox({ server, user: username, secret: { accessToken } }, context)
}

function opened(key: Buffer, sealed: Buffer | null): string {
  if (sealed === null) throw new MailboxFault(fault('imap.password'))
  try {
    return openSecret(key, sealed)
  } catch (error) {
    throw new MailboxFault(fault('imap.sealed'), error)
  }
}
