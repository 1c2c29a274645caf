import type { Campaign } from './campaign-steps.ts'

/** Fields of the form, in the order of its inputs. */
export const campaignFields = [
  'name',
  'message_id',
  'subject',
  'list_id',
  'exclude_list_ids',
  'blacklist_ids',
  'capping_id',
  'domain_id',
  'fromadr',
  'fromname',
  'reply_to',
  'mailclass_id',
  'esp_id',
  'startdate',
  'throttle',
  'throttle_unit',
  'quiet_from',
  'quiet_to',
  'local_time',
  'window_mails',
  'window_minutes',
  'missed_policy',
  'missed_minutes',
  'unknown_policy',
] as const

export type CampaignValues = Pick<Campaign, (typeof campaignFields)[number]>

/** Initial values of the form, with defaults for a new campaign. */
export function campaignValues(record: Campaign | null): CampaignValues {
  return {
    name: record?.name ?? '',
    message_id: record?.message_id ?? null,
    subject: record?.subject ?? null,
    list_id: record?.list_id ?? null,
    exclude_list_ids: record?.exclude_list_ids ?? [],
    blacklist_ids: record?.blacklist_ids ?? [],
    capping_id: record?.capping_id ?? null,
    domain_id: record?.domain_id ?? null,
    fromadr: record?.fromadr ?? null,
    fromname: record?.fromname ?? null,
    reply_to: record?.reply_to ?? null,
    mailclass_id: record?.mailclass_id ?? null,
    esp_id: record?.esp_id ?? null,
    startdate: record?.startdate ?? null,
    throttle: record?.throttle ?? 0,
    throttle_unit: record?.throttle_unit ?? 'hour',
    quiet_from: record?.quiet_from?.slice(0, 5) ?? null,
    quiet_to: record?.quiet_to?.slice(0, 5) ?? null,
    local_time: record?.local_time ?? false,
    window_mails: record?.window_mails ?? 0,
    window_minutes: record?.window_minutes ?? 60,
    missed_policy: record?.missed_policy ?? 'send',
    missed_minutes: record?.missed_minutes ?? 60,
    unknown_policy: record?.unknown_policy ?? 'leave',
  }
}
