import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from './campaign-key.ts'
import type { CampaignSnapshot } from './campaign-snapshot.ts'
import type { TransportSettings } from './4-deliver/transport.ts'

/** A campaign that sends, with the settings that may change while it does. */
export interface RunningCampaign extends CampaignKey {
  memberTableId: number | null
  mailclassId: number
  /** Mails per unit; 0 is no limit. The campaign's own, or else its mail class's. */
  throttle: number
  throttleUnit: string
  resendUnknown: boolean
  mailclass: MailclassRow
}

export interface MailclassRow {
  transport: string
  smtp_host: string | null
  smtp_port: number | null
  smtp_tls: 'none' | 'starttls' | 'tls'
  smtp_username: string | null
  smtp_password: Buffer | null
  max_connections: number
}

/** All campaigns that send now, in a stable order. */
export async function listRunning(sql: Sql): Promise<RunningCampaign[]> {
  const { rows } = await raw<Omit<RunningCampaign, 'mailclass'> & MailclassRow>`
    select c.client_id as "clientId", c.campagne_id as "campaignId", c.member_table_id as "memberTableId",
      c.mailclass_id as "mailclassId",
      case when c.throttle > 0 then c.throttle else m.throttle end as throttle,
      case when c.throttle > 0 then c.throttle_unit else m.throttle_unit end as "throttleUnit",
      c.unknown_policy = 'resend' as "resendUnknown",
      m.transport, m.smtp_host, m.smtp_port, m.smtp_tls, m.smtp_username, m.smtp_password, m.max_connections
    from campaign c
    join mailclass m on m.client_id = c.client_id and m.mailclass_id = c.mailclass_id
    where c.valid = ${campaignState.running} and c.expanded_at is not null
    order by c.client_id, c.campagne_id`.execute(sql)
  return rows.map(({ transport, smtp_host, smtp_port, smtp_tls, smtp_username, ...row }) => {
    const { smtp_password, max_connections, ...campaign } = row
    const mailclass = {
      transport,
      smtp_host,
      smtp_port,
      smtp_tls,
      smtp_username,
      smtp_password,
      max_connections,
    }
    return { ...campaign, mailclass }
  })
}

/** Campaigns that wait to be expanded. */
export async function listPreparing(sql: Sql): Promise<CampaignKey[]> {
  const rows = await sql
    .selectFrom('campaign')
    .select(['client_id', 'campagne_id'])
    .where('valid', '=', campaignState.preparing)
    .orderBy('updated_at')
    .execute()
  return rows.map(row => ({ clientId: row.client_id, campaignId: row.campagne_id }))
}

/** The settings of a mail class as a transport takes them. `openSecret` opens what is kept sealed. */
export function transportSettings(
  row: MailclassRow,
  openSecret: (sealed: Buffer) => string,
): TransportSettings {
  if (row.transport !== 'smtp') return { transport: 'testbed', connections: row.max_connections }
  const { smtp_username: user, smtp_password: password } = row
  return {
    transport: 'smtp',
    connections: row.max_connections,
    host: row.smtp_host ?? 'localhost',
    port: row.smtp_port ?? (row.smtp_tls === 'tls' ? 465 : 25),
    tls: row.smtp_tls,
    auth: user && password ? { user, password: openSecret(password) } : null,
  }
}

/** Whether mail may leave this installation; off until an administrator switches it on. */
export async function isRealDelivery(sql: Sql): Promise<boolean> {
  const setting = await sql
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'real_delivery')
    .executeTakeFirst()
  return setting?.value === true
}

/** The snapshot a campaign was started with. */
export async function readSnapshot(sql: Sql, key: CampaignKey): Promise<CampaignSnapshot | null> {
  const { rows } = await raw<{ snapshot: CampaignSnapshot | null }>`
    select snapshot from campaign
    where client_id = ${key.clientId} and campagne_id = ${key.campaignId}`.execute(sql)
  return rows[0]?.snapshot ?? null
}
