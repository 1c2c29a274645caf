import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, name } from '../fields.ts'
import { type Row, withoutDefault } from '../resource-schemas.ts'
import { campaign } from './campaign.ts'

/** Settings of a campaign that a preset may hold: all but its name, template, subject and start. */
export const presetFields = [
  'list_id',
  'exclude_list_ids',
  'blacklist_ids',
  'capping_id',
  'send_once_key',
  'category_value_ids',
  'test_group_id',
  'domain_id',
  'mailclass_id',
  'esp_id',
  'fromadr',
  'fromname',
  'reply_to',
  'throttle',
  'throttle_unit',
  'quiet_from',
  'quiet_to',
  'local_time',
  'local_past',
  'learned_time',
  'send_order',
  'order_column',
  'order_descending',
  'window_mails',
  'window_minutes',
  'missed_policy',
  'missed_minutes',
  'unknown_policy',
  'use_domain_pool',
  'check_placement',
] as const

export type PresetValues = Partial<Pick<Row<typeof campaign>, (typeof presetFields)[number]>>

const shape = Object.fromEntries(
  presetFields.map(field => [field, withoutDefault(campaign.fields[field]).optional()]),
)

/** Settings that new campaigns start with (R260). References are checked when a campaign is saved. */
export const campaignPreset = defineResource({
  name: 'campaignpreset',
  area: 'campaigns',
  entity: 'CampaignPreset',
  key: 'preset_id',
  label: 'name',
  paths: ['/campaignpreset/'],
  tenant: true,
  fields: {
    preset_id: id,
    name,
    values: z.strictObject(shape) as unknown as z.ZodType<PresetValues>,
    /** Applied to every new campaign; a client has one at most. */
    is_default: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['name', 'values'] },
  filters: {},
  search: ['name'],
  sort: ['name'],
  included: {},
})
