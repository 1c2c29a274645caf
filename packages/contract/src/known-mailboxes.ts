/** How test mailboxes log in: with a password (often one for apps), or with OAuth 2.0 (RFC 6749) and XOAUTH2. */
export const mailboxLogins = ['password', 'oauth2'] as const

/** `testbed`: the mailboxes of the simulated internet, read without IMAP. */
export const mailboxProtocols = ['imap', 'testbed'] as const

/** IMAP server of a mailbox provider. */
export interface KnownMailbox {
  provider: string
  host: string
  port: number
  tls: 'tls' | 'starttls'
  auth: (typeof mailboxLogins)[number]
  token_url: string | null
  oauth_scope: string | null
}

function withPassword(provider: string, host: string): KnownMailbox {
  return { provider, host, port: 993, tls: 'tls', auth: 'password', token_url: null, oauth_scope: null }
}

/**
 * Servers as the providers publish them. Gmail, GMX, WEB.DE, Yahoo, AOL and iCloud ask for IMAP to be switched on, or
 * for a password for apps; Microsoft accepts OAuth 2.0 only. Folders are found by their use (RFC 6154).
 */
export const knownMailboxes: readonly KnownMailbox[] = [
  withPassword('AOL', 'imap.aol.com'),
  withPassword('freenet', 'mx.freenet.de'),
  withPassword('Gmail', 'imap.gmail.com'),
  withPassword('GMX', 'imap.gmx.net'),
  withPassword('iCloud', 'imap.mail.me.com'),
  {
    ...withPassword('Microsoft', 'outlook.office365.com'),
    auth: 'oauth2',
    token_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    oauth_scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
  },
  withPassword('T-Online', 'secureimap.t-online.de'),
  withPassword('WEB.DE', 'imap.web.de'),
  withPassword('Yahoo', 'imap.mail.yahoo.com'),
]
