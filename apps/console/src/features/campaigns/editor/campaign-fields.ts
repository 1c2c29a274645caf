import type { Campaign } from './campaign-steps.ts'

/** Fields of the form, in the order of its inputs. */
export const campaignFields = [
  'name',
  'message_id',
  'subject',
  'category_value_ids',
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
  'use_domain_pool',
  'check_placement',
  'unknown_policy',
  'split',
] as const

export type CampaignValues = Pick<Campaign, (typeof campaignFields)[number]>
