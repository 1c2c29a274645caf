import type { RecordOf } from '@emma/client/emma-client.ts'
import type { campaign } from '@emma/contract/resources/campaign.ts'
import type { runFields } from '@emma/contract/resources/recurring.ts'

/** What campaigns and recurring campaigns are sent with, in their forms. */
export type SendingValues = Pick<
  RecordOf<typeof campaign>,
  Exclude<(typeof runFields)[number], 'member_table_id'>
>

/** Values of the template, the subject and the categories. */
export type TemplateValues = Pick<SendingValues, 'message_id' | 'subject' | 'category_value_ids'>

/** Fields that most campaigns leave as they are: speed, quiet hours, batches, order, send-once key, domains, and more. */
export const deliveryFields = [
  'throttle',
  'throttle_unit',
  'quiet_from',
  'quiet_to',
  'window_mails',
  'window_minutes',
  'send_order',
  'order_column',
  'order_descending',
  'send_once_key',
  'use_domain_pool',
  'check_placement',
  'unknown_policy',
] as const satisfies readonly (keyof SendingValues)[]

export type DeliveryValues = Pick<SendingValues, (typeof deliveryFields)[number]>
