/** Why a test mailbox cannot be read. Braces contain names of values; `reply` is the server's own text. */
export const imapFaults = {
  unreachable: 'The mail server {host} could not be reached',
  private: 'The mail server {host} is in a private network: EMMA does not connect to it',
  timeout: 'The mail server {host} did not answer within {seconds} seconds',
  tls: 'The encrypted connection to {host} failed: {reply}',
  login: 'The mail server {host} rejected the login: {reply}',
  password: 'The password is missing; enter it again',
  sealed: 'The password cannot be read on this installation; enter it again',
  token: 'The provider gave no access for the refresh token: {reply}',
  folder: 'The mailbox has no folder {folder}',
  no_inbox: 'The mailbox has no inbox',
  protocol: 'The mail server {host} gave an answer that is not IMAP, or too large: {reply}',
} as const
