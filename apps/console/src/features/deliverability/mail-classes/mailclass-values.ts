import type { RecordOf } from '@emma/client/emma-client.ts'
import type { mailclass } from '@emma/contract/resources/mailclass.ts'
import { writeVolumes } from '../warm-up/warmup-volumes.ts'

/** What the form edits, in the order of its inputs. */
export const mailclassFields = [
  'name',
  'type',
  'description',
  'active',
  'transport',
  'smtp_host',
  'smtp_port',
  'smtp_tls',
  'smtp_username',
  'smtp_password',
  'login_ids',
  'mta_headers',
  'source_ips',
  'max_connections',
  'throttle',
  'throttle_unit',
  'login_mails',
  'login_unit',
  'login_connections',
  'send_ip',
  'ip_mails',
  'ip_unit',
  'ip_connections',
  'provider_limits',
  'warmup_start',
  'warmup_volumes',
  'overflow_mailclass_id',
  'listid',
  'track_clicks_opens',
] as const

type Mailclass = RecordOf<typeof mailclass>
export type MailclassValues = Omit<Pick<Mailclass, (typeof mailclassFields)[number]>, 'warmup_volumes'> & {
  /** As people write them: 50, 100, 200. */
  warmup_volumes: string
}

/** The values of a mail class, or those a new one begins with. A stored password is never sent to the browser. */
export function mailclassValues(record: Mailclass | null): MailclassValues {
  return {
    name: record?.name ?? '',
    type: record?.type ?? 'bulk',
    description: record?.description ?? null,
    active: record?.active ?? true,
    transport: record?.transport ?? 'testbed',
    smtp_host: record?.smtp_host ?? null,
    smtp_port: record?.smtp_port ?? 25,
    smtp_tls: record?.smtp_tls ?? 'starttls',
    smtp_username: record?.smtp_username ?? null,
    smtp_password: null,
    login_ids: record?.login_ids ?? [],
    mta_headers: record?.mta_headers ?? [],
    source_ips: record?.source_ips ?? [],
    max_connections: record?.max_connections ?? 10,
    throttle: record?.throttle ?? 0,
    throttle_unit: record?.throttle_unit ?? 'hour',
    login_mails: record?.login_mails ?? 0,
    login_unit: record?.login_unit ?? 'hour',
    login_connections: record?.login_connections ?? 0,
    send_ip: record?.send_ip ?? null,
    ip_mails: record?.ip_mails ?? 0,
    ip_unit: record?.ip_unit ?? 'hour',
    ip_connections: record?.ip_connections ?? 0,
    provider_limits: record?.provider_limits ?? [],
    warmup_start: record?.warmup_start ?? null,
    warmup_volumes: writeVolumes(record?.warmup_volumes),
    overflow_mailclass_id: record?.overflow_mailclass_id ?? null,
    listid: record?.listid ?? null,
    track_clicks_opens: record?.track_clicks_opens ?? true,
  }
}
