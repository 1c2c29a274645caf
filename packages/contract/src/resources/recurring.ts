import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { columnName, flag, id, instant, name } from '../fields.ts'
import { exceptions, schedule } from '../recurring/schedule.ts'
import { campaign } from './campaign.ts'

/** Fields of a campaign that each run gets. */
export const runFields = [
  'member_table_id',
  'list_id',
  'exclude_list_ids',
  'blacklist_ids',
  'message_id',
  'domain_id',
  'mailclass_id',
  'esp_id',
  'capping_id',
  'send_once_key',
  'category_value_ids',
  'fromadr',
  'fromname',
  'reply_to',
  'subject',
  'throttle',
  'throttle_unit',
  'quiet_from',
  'quiet_to',
  'window_mails',
  'window_minutes',
  'send_order',
  'order_column',
  'order_descending',
  'learned_time',
  'use_domain_pool',
  'check_placement',
  'unknown_policy',
  'split',
] as const

type RunFields = Pick<typeof campaign.fields, (typeof runFields)[number]>

const fieldsOfRuns = Object.fromEntries(runFields.map(field => [field, campaign.fields[field]])) as RunFields

/** A run that is this late or later is skipped. */
export const MISSED_HOURS = 6

/**
 * A campaign that is sent again and again (R251): settings, and the times of its runs. Each run is a campaign of
 * ctype 2.
 */
export const recurring = defineResource({
  name: 'recurring',
  area: 'recurring',
  entity: 'EmmaRecurring',
  key: 'recurring_id',
  label: 'name',
  paths: ['/recurring/'],
  tenant: true,
  fields: {
    recurring_id: id,
    name,
    ...fieldsOfRuns,
    schedule,
    exceptions: exceptions.default([]),
    /** `date_field`: the run of a day goes to the members whose date in `date_column` is due on that day. */
    trigger: z.enum(['calendar', 'date_field']).default('calendar'),
    date_column: columnName.nullable(),
    /** Days after the date, before it if negative. */
    offset_days: z.int().min(-365).max(365).default(0),
    /** Compares day and month only. 29 February counts as 28 February in other years. */
    yearly: z.boolean().default(true),
    /** Whether a run also goes to members who got an earlier one; `once_a_period`: not within `repeat_days`. */
    repeat_to: z.enum(['always', 'once_ever', 'once_a_period']).default('always'),
    repeat_days: z.int().min(1).max(3650).default(30),
    /** A run without recipients is logged as empty; otherwise it fails. */
    skip_if_empty: z.boolean().default(true),
    /**
     * A run whose time passed while the server was not running. `run`: once, if it is less than MISSED_HOURS late;
     * `skip`: never. Of several missed runs, only the last one is made up for.
     */
    missed_policy: z.enum(['run', 'skip']).default('run'),
    active: z.boolean().default(true),
    /** Null when it is switched off, or has no further run. */
    next_run: instant.nullable(),
    last_run: instant.nullable(),
  },
  readOnly: ['member_table_id', 'next_run', 'last_run'],
  required: { create: ['name', 'domain_id', 'message_id', 'list_id', 'fromadr', 'schedule'] },
  filters: { onlyactive: { operator: 'flag', column: 'active', value: flag } },
  search: ['name', 'subject'],
  sort: ['name', 'active', 'next_run', 'last_run'],
  included: {},
})

/** Fields required by forms (R282); a login at a sending service replaces the mail class. */
export const requiredOfRecurring = [...recurring.required.create, ['mailclass_id', 'esp_id']] as const
