import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Fault } from '@emma/contract/faults.ts'
import {
  missingAfterMinutes,
  type Placement,
  placementHeader,
  pollSeconds,
} from '@emma/contract/placements.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { parseReceived, type ReceivedTrace } from '@emma/mail/mime/parse-received.ts'
import { sql } from 'kysely'

/** Hours between two logins to a mailbox for which nothing is awaited: a broken login is seen before it is needed. */
const IDLE_HOURS = 6

/** How a mailbox is reached, as stored. */
export type MailboxServer = Pick<
  Row<typeof imapSetting>,
  | 'protocol'
  | 'host'
  | 'port'
  | 'tls'
  | 'inbox_folder'
  | 'spam_folder'
  | 'promo_folder'
  | 'auth'
  | 'token_url'
  | 'oauth_client_id'
  | 'oauth_scope'
> & {
  /** Encrypted. */
  oauth_client_secret: Buffer | null
}

/** A test mailbox with what is awaited in it. */
export interface Mailbox {
  clientId: number
  loginId: number
  email: string
  username: string
  /** Encrypted: password or refresh token. */
  password: Buffer | null
  server: MailboxServer
  /** The oldest first. */
  awaited: AwaitedMail[]
}

export interface AwaitedMail {
  ipciId: number
  token: string
}

/** A mail found in a mailbox. */
export interface Arrival {
  placement: Exclude<Placement, 'missing'>
  folder: string
  arrivedAt: Date
  /** The message, at most its first `sourceBytes`. */
  source: Buffer
  /** Where the mailbox does not note it in the message. */
  noted?: ReceivedTrace
}

/** Bytes of a received message that are stored. */
export const sourceBytes = 1_048_576

const serverColumns = sql`jsonb_build_object('protocol', s.protocol, 'host', s.host, 'port', s.port, 'tls', s.tls,
  'inbox_folder', s.inbox_folder, 'spam_folder', s.spam_folder, 'promo_folder', s.promo_folder, 'auth', s.auth,
  'token_url', s.token_url, 'oauth_client_id', s.oauth_client_id, 'oauth_scope', s.oauth_scope)`

type MailboxRow = Omit<Mailbox, 'server'> & {
  server: Omit<MailboxServer, 'oauth_client_secret'>
  oauthSecret: Buffer | null
}

const mailboxColumns = sql`
  l.client_id as "clientId", l.login_id as "loginId", l.email, l.username, l.password, ${serverColumns} as server,
  s.oauth_client_secret as "oauthSecret"`

/** Takes mailboxes that are due for reading, each for one machine. */
export async function claimMailboxes(db: Db, most: number): Promise<Mailbox[]> {
  const { rows } = await sql<MailboxRow>`
    with due as (
      select client_id, login_id from imap_login
      where active and deleted_at is null and next_poll <= now()
      order by next_poll limit ${most} for update skip locked
    ), awaited as (
      select r.client_id, r.login_id,
        jsonb_agg(jsonb_build_object('ipciId', i.ipci_id, 'token', i.token) order by r.sent_at) as mails
      from due
      join ipci_result as r on r.client_id = due.client_id and r.login_id = due.login_id
      join ipci as i on i.client_id = r.client_id and i.ipci_id = r.ipci_id
      where r.placement is null and r.sent_at is not null and i.valid = ${campaignState.running}
        and i.deleted_at is null
      group by r.client_id, r.login_id
    ), claimed as (
      update imap_login as l
      set next_poll = now() + case when a.mails is null then make_interval(hours => ${IDLE_HOURS})
        else make_interval(secs => ${pollSeconds}) end
      from due left join awaited as a on a.client_id = due.client_id and a.login_id = due.login_id
      where l.client_id = due.client_id and l.login_id = due.login_id
      returning l.client_id, l.login_id, l.setting_id, l.email, l.username, l.password, a.mails
    )
    select ${mailboxColumns}, coalesce(l.mails, '[]') as awaited
    from claimed as l
    join imap_setting as s on s.client_id = l.client_id and s.setting_id = l.setting_id`.execute(db)
  return rows.map(({ oauthSecret, server, ...row }) => ({
    ...row,
    server: { ...server, oauth_client_secret: oauthSecret },
  }))
}

/** A mailbox with other login data, to try it; null if the setting or the login is not there. */
export async function findMailbox(
  db: Db,
  clientId: number,
  { settingId, loginId }: { settingId: number; loginId: number | null },
): Promise<{
  server: MailboxServer
  login: { settingId: number; username: string; password: Buffer | null } | null
} | null> {
  const { rows } = await sql<
    Pick<MailboxRow, 'server' | 'oauthSecret'> & {
      found: boolean
      setting: number | null
      username: string | null
      password: Buffer | null
    }
  >`
    select ${serverColumns} as server, s.oauth_client_secret as "oauthSecret", l.setting_id as setting, l.username,
      l.password
    from imap_setting as s
    left join imap_login as l on l.client_id = s.client_id and l.login_id = ${loginId} and l.deleted_at is null
    where s.client_id = ${clientId} and s.setting_id = ${settingId} and s.deleted_at is null`.execute(db)
  const [row] = rows
  if (!row || (loginId !== null && row.username === null)) return null
  const server = { ...row.server, oauth_client_secret: row.oauthSecret }
  if (row.username === null || row.setting === null) return { server, login: null }
  return { server, login: { settingId: row.setting, username: row.username, password: row.password } }
}

/** Stores whether a mailbox could be read. */
export async function recordPoll(
  db: Db,
  { clientId, loginId }: Pick<Mailbox, 'clientId' | 'loginId'>,
  error: Fault | null,
): Promise<void> {
  await sql`
    update imap_login
    set last_poll = now(), last_error = ${error === null ? null : JSON.stringify(error)}::jsonb
    where client_id = ${clientId} and login_id = ${loginId}`.execute(db)
}

/** Stores a provider's new refresh token in place of the one it was fetched with. */
export async function replaceRefreshToken(
  db: Db,
  { clientId, loginId, password }: Pick<Mailbox, 'clientId' | 'loginId' | 'password'>,
  sealed: Buffer,
): Promise<void> {
  await sql`
    update imap_login set password = ${sealed}
    where client_id = ${clientId} and login_id = ${loginId} and password = ${password}`.execute(db)
}

/** Stores where a mail arrived, and what its receiving server noted. */
export async function recordArrival(
  db: Db,
  { clientId, loginId }: Pick<Mailbox, 'clientId' | 'loginId'>,
  ipciId: number,
  { placement, folder, arrivedAt, source, noted }: Arrival,
): Promise<void> {
  const trace = noted ?? (await traceOf(source))
  const end = source.indexOf('\r\n\r\n')
  const headers = source.subarray(0, Math.min(end === -1 ? source.length : end, MOST_HEADER_BYTES))
  await sql`
    update ipci_result
    set placement = ${placement}, folder = ${printable(folder)}, arrived_at = ${arrivedAt}, spf = ${trace.spf},
      dkim = ${trace.dkim}, dmarc = ${trace.dmarc}, received_ip = ${trace.receivedIp},
      headers = ${printable(headers.toString('utf8'))}, source = ${source.subarray(0, sourceBytes)}
    where client_id = ${clientId} and login_id = ${loginId} and ipci_id = ${ipciId}
      and placement is null`.execute(db)
}

const MOST_HEADER_BYTES = 65_536
const nothingNoted: ReceivedTrace = { spf: null, dkim: null, dmarc: null, receivedIp: null }

/** A message that cannot be parsed arrived all the same. */
async function traceOf(source: Buffer): Promise<ReceivedTrace> {
  try {
    return await parseReceived(source, placementHeader)
  } catch {
    return nothingNoted
  }
}

/** Without NUL, which PostgreSQL cannot store. */
function printable(text: string): string {
  return text.replaceAll('\0', '')
}

/** Declares mails missing that a mailbox does not have an hour after sending. `readAt`: when it was searched for them. */
export async function recordMissing(
  db: Db,
  { clientId, loginId }: Pick<Mailbox, 'clientId' | 'loginId'>,
  searched: readonly AwaitedMail[],
  readAt: Date,
): Promise<void> {
  await sql`
    update ipci_result set placement = 'missing'
    where client_id = ${clientId} and login_id = ${loginId} and placement is null
      and ipci_id = any(${searched.map(({ ipciId }) => ipciId)}::bigint[])
      and sent_at < ${readAt}::timestamptz - make_interval(mins => ${missingAfterMinutes})`.execute(db)
}

/** Ended checks, for their notification. */
export interface EndedCheck {
  clientId: number
  ipciId: number
  campaignId: number | null
  name: string
  counts: Record<Placement | 'unread', number>
  /** Providers with a mail outside the inbox. */
  outside: string[]
}

/** Minutes after which mailboxes that could not be read are not waited for any more. */
const GIVE_UP_MINUTES = missingAfterMinutes + 10

/**
 * Ends checks whose mails are all found or missing.
 * @param onEnd called for each in the transaction that ends it
 */
export function endChecks(db: Db, onEnd: (tx: Db, ended: EndedCheck) => Promise<void>): Promise<number> {
  return transaction(db, async tx => {
    const { rows } = await sql<EndedCheck>`
      with ended as (
        select i.client_id, i.ipci_id from ipci as i
        where i.valid = ${campaignState.running} and i.deleted_at is null and (
          i.sent_at < now() - make_interval(mins => ${GIVE_UP_MINUTES}) or not exists (
            select 1 from ipci_result as r
            where r.client_id = i.client_id and r.ipci_id = i.ipci_id and r.placement is null))
        limit 100 for update skip locked
      ), finished as (
        update ipci as i set valid = ${campaignState.finished}, finished_at = now()
        from ended as e where i.client_id = e.client_id and i.ipci_id = e.ipci_id
        returning i.client_id, i.ipci_id, i.campagne_id, i.name
      )
      select f.client_id as "clientId", f.ipci_id as "ipciId", f.campagne_id as "campaignId", f.name,
        (select jsonb_build_object(
          'inbox', count(*) filter (where r.placement = 'inbox'),
          'promotions', count(*) filter (where r.placement = 'promotions'),
          'spam', count(*) filter (where r.placement = 'spam'),
          'other', count(*) filter (where r.placement = 'other'),
          'missing', count(*) filter (where r.placement = 'missing'),
          'unread', count(*) filter (where r.placement is null))
        from ipci_result as r where r.client_id = f.client_id and r.ipci_id = f.ipci_id) as counts,
        (select coalesce(array_agg(distinct r.provider order by r.provider), '{}')
        from ipci_result as r
        where r.client_id = f.client_id and r.ipci_id = f.ipci_id and r.placement <> 'inbox') as outside
      from finished as f`.execute(tx)
    for (const ended of rows) await onEnd(tx, ended)
    return rows.length
  })
}
