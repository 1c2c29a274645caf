import type { recurring } from '@emma/contract/resources/recurring.ts'
import type { FieldValues } from '../../shell/resource/use-resource-form.ts'

/** Fields of the form, in the order of its inputs. */
export const recurringFields = [
  'name',
  'active',
  'message_id',
  'subject',
  'category_value_ids',
  'list_id',
  'exclude_list_ids',
  'blacklist_ids',
  'capping_id',
  'repeat_to',
  'repeat_days',
  'skip_if_empty',
  'domain_id',
  'fromname',
  'fromadr',
  'mailclass_id',
  'reply_to',
  'esp_id',
  'trigger',
  'date_column',
  'offset_days',
  'yearly',
  'schedule',
  'exceptions',
  'missed_policy',
  'throttle',
  'throttle_unit',
  'quiet_from',
  'quiet_to',
  'window_mails',
  'window_minutes',
  'use_domain_pool',
  'unknown_policy',
] as const

export type RecurringValues = FieldValues<typeof recurring, (typeof recurringFields)[number]>
