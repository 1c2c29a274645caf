import { isIP } from 'node:net'
import { fault, type Fault } from '@emma/contract/faults.ts'
import { placementHeader } from '@emma/contract/placements.ts'
import {
  type Arrival,
  type MailboxServer,
  sourceBytes,
} from '@emma/core/deliverability/placement/awaited-mails.ts'
import { isPublicAddress } from '@emma/delivery/4-deliver/mx/public-address.ts'
import { PRIVATE_ADDRESS, publicLookup } from '@emma/delivery/4-deliver/relay-rule.ts'
import { ImapFlow } from 'imapflow'
import { MAILBOX_LIMITS } from '../network/limits.ts'
import { chooseFolders, findFolders, type Folder } from './choose-folders.ts'
import { MailboxFault, type OpenMailbox } from './mailbox.ts'

export interface ImapLogin {
  server: MailboxServer
  user: string
  secret: { password: string } | { accessToken: string }
}

export interface ImapRules {
  /** Whether a private address may be connected to. */
  isAllowed: (host: string, port: number) => boolean
  /** Certificates besides those of the system, for tests. */
  ca?: string | undefined
  /** Ends the connection. */
  signal?: AbortSignal | undefined
}

/**
 * Logs in to a mailbox over IMAP (RFC 9051), always with TLS. Everything is bounded: time, lines, responses, folders.
 * @throws MailboxFault if that is not possible
 */
export async function openImapMailbox(login: ImapLogin, rules: ImapRules): Promise<OpenMailbox> {
  const { server, user, secret } = login
  const name = server.host ?? ''
  const hidden = Object.values(secret)
  const isPrivate = rules.isAllowed(name, server.port)
  if (!isPrivate && isIP(name) !== 0 && !isPublicAddress(name))
    throw new MailboxFault(fault('imap.private', { host: name }))
  const client = new ImapFlow({
    host: name,
    port: server.port,
    secure: server.tls === 'tls',
    ...(server.tls === 'starttls' ? { doSTARTTLS: true } : {}),
    tls: {
      ...(isPrivate ? {} : { lookup: publicLookup }),
      ...(rules.ca === undefined ? {} : { ca: rules.ca }),
    },
    auth: 'password' in secret ? { user, pass: secret.password } : { user, accessToken: secret.accessToken },
    clientInfo: { name: 'EMMA' },
    disableAutoIdle: true,
    disableCompression: true,
    logger: false,
    connectionTimeout: MAILBOX_LIMITS.connectMs,
    greetingTimeout: MAILBOX_LIMITS.connectMs,
    socketTimeout: MAILBOX_LIMITS.answerMs,
    maxLineLength: MAILBOX_LIMITS.lineBytes,
    maxLiteralSize: MAILBOX_LIMITS.messageBytes + 1024,
    maxResponseSize: MAILBOX_LIMITS.responseBytes,
  })
  // An error without listener would end the process; the running command fails as well.
  client.on('error', () => {})
  let isLate = false
  const end = () => {
    isLate = true
    client.close()
  }
  const deadline = setTimeout(end, MAILBOX_LIMITS.totalMs)
  rules.signal?.addEventListener('abort', end)
  const withFaults = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      if (error instanceof MailboxFault) throw error
      throw new MailboxFault(isLate ? timeoutOf(name) : faultOf(error, name, hidden), error)
    }
  }
  const close = async () => {
    clearTimeout(deadline)
    rules.signal?.removeEventListener('abort', end)
    // LOGOUT may hang; closing the socket is enough.
    client.close()
  }

  try {
    await withFaults(() => client.connect())
  } catch (error) {
    await close()
    throw error
  }
  return {
    listFolders: () =>
      withFaults(async () => {
        const folders = await listFolders(client)
        const names = folders.map(({ path }) => path).toSorted((a, b) => a.localeCompare(b))
        return { names, found: findFolders(server, folders) }
      }),
    find: tokens => withFaults(() => findMails(client, server, tokens)),
    close,
  }
}

async function listFolders(client: ImapFlow): Promise<Folder[]> {
  const listed = await client.list()
  return listed
    .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
    .slice(0, MAILBOX_LIMITS.folders)
    .map(({ path, specialUse }) => ({ path, specialUse: specialUse ?? null }))
}

async function findMails(
  client: ImapFlow,
  server: MailboxServer,
  tokens: readonly string[],
): Promise<Map<string, Arrival>> {
  const folders = await listFolders(client)
  const found = new Map<string, Arrival>()
  for (const { path, placement } of chooseFolders(
    findFolders(server, folders),
    folders,
    MAILBOX_LIMITS.searchedFolders,
  )) {
    const missing = tokens.filter(token => !found.has(token))
    if (missing.length === 0) break
    await client.mailboxOpen(path, { readOnly: true })
    for (const token of missing) {
      const arrival = await findMail(client, token, { folder: path, placement })
      if (arrival) found.set(token, arrival)
    }
  }
  return found
}

/** Searches the open folder. */
async function findMail(
  client: ImapFlow,
  token: string,
  { folder, placement }: Pick<Arrival, 'folder' | 'placement'>,
): Promise<Arrival | null> {
  const header = { [placementHeader]: token }
  const [uid] = (await client.search({ header }, { uid: true })) || []
  if (uid === undefined) return null
  const source = { start: 0, maxLength: sourceBytes }
  const mail = await client.fetchOne(String(uid), { internalDate: true, source }, { uid: true })
  if (!mail || !mail.source) return null
  return {
    folder,
    placement: placement === 'inbox' && (await isPromotion(client, header)) ? 'promotions' : placement,
    arrivedAt: new Date(mail.internalDate ?? Date.now()),
    source: mail.source,
  }
}

/** Gmail's tab "Promotions" is part of the inbox. */
async function isPromotion(client: ImapFlow, header: Record<string, string>): Promise<boolean> {
  if (!client.capabilities.has('X-GM-EXT-1')) return false
  const found = await client.search({ header, gmraw: 'category:promotions' }, { uid: true })
  return Array.isArray(found) && found.length > 0
}

const timeouts = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT'])
const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNRESET',
])

function timeoutOf(host: string): Fault {
  return fault('imap.timeout', { host, seconds: MAILBOX_LIMITS.totalMs / 1000 })
}

function faultOf(error: unknown, host: string, hidden: readonly string[]): Fault {
  const { code, authenticationFailed, responseText, message } = asDetails(error)
  const reply = clean(responseText ?? message, hidden)
  if (code === PRIVATE_ADDRESS) return fault('imap.private', { host })
  if (authenticationFailed) return fault('imap.login', { host, reply })
  if (timeouts.has(code)) return timeoutOf(host)
  if (unreachable.has(code)) return fault('imap.unreachable', { host })
  if (/CERT|TLS|SSL|SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return fault('imap.tls', { host, reply })
  return fault('imap.protocol', { host, reply })
}

function asDetails(error: unknown) {
  const details: {
    code?: unknown
    authenticationFailed?: unknown
    responseText?: unknown
    message?: unknown
  } = typeof error === 'object' && error !== null ? error : {}
  const { code, authenticationFailed, responseText, message } = details
  return {
    code: typeof code === 'string' ? code : '',
    authenticationFailed: authenticationFailed === true,
    responseText: typeof responseText === 'string' && responseText !== '' ? responseText : null,
    message: typeof message === 'string' ? message : String(error),
  }
}

/** A server's text for display, without what was sent to it. */
function clean(text: string, hidden: readonly string[]): string {
  const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  // oxlint-disable-next-line no-control-regex -- they are removed
  return shown.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 300)
}
