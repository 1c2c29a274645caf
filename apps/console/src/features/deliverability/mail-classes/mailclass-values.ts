import type { Initial } from '@emma/contract/resource-schemas.ts'
import type { mailclass } from '@emma/contract/resources/mailclass.ts'

/** Fields of the form, in the order of its inputs. */
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

export type MailclassValues = Omit<
  Pick<Initial<typeof mailclass>, (typeof mailclassFields)[number]>,
  'warmup_volumes'
> & {
  /** Text input: 50, 100, 200. */
  warmup_volumes: string
}
