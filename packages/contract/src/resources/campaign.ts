import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import {
  clockTime,
  columnName,
  count,
  email,
  flag,
  id,
  instant,
  line,
  name,
  queryId,
  queryInstant,
  sendOnceKey,
} from '../fields.ts'
import { learnedTime } from '../learned-time.ts'
import { split, splitResult } from '../split.ts'
import { throttleUnits } from './mailclass.ts'

/** Orders in which the recipients of a campaign get their mail. */
export const sendOrders = ['any', 'engaged', 'column'] as const

/** A campaign with the fields of the specification (D2 §3) and domain.md 2A. States: campaign-states.ts. */
export const campaign = defineResource({
  name: 'campaign',
  area: 'campaigns',
  entity: 'EmmaCampaign',
  key: 'campagne_id',
  label: 'name',
  paths: ['/emma/campaign/', '/v2/emma/client/{client_id}/campaign/'],
  tenant: true,
  fields: {
    campagne_id: id,
    ctype: z.int().min(1).max(7),
    valid: z.int().min(0).max(9),
    name,
    member_table_id: id.nullable(),
    list_id: id.nullable(),
    exclude_list_ids: z.array(id).max(50).default([]),
    blacklist_ids: z.array(id).max(50).default([]),
    message_id: id.nullable(),
    domain_id: id.nullable(),
    mailclass_id: id.nullable(),
    esp_id: id.nullable(),
    capping_id: id.nullable(),
    send_once_key: sendOnceKey.nullable(),
    /** Values of categories (resources/category.ts). */
    category_value_ids: z.array(id).max(100).default([]),
    test_group_id: id.nullable(),
    fromadr: email.nullable(),
    fromname: line().nullable(),
    reply_to: email.nullable(),
    /** Overrides the message's subject when set. */
    subject: line(998).nullable(),
    startdate: instant.nullable(),
    enddate: instant.nullable(),
    /** Mails per `throttle_unit`; 0 uses the mail class's rate. */
    throttle: count.default(0),
    throttle_unit: z.enum(throttleUnits).default('hour'),
    /**
     * Quiet hours, in which no sending starts, in the client's time zone or, with `local_time`, the recipient's; null
     * uses the client's.
     */
    quiet_from: clockTime.nullable(),
    quiet_to: clockTime.nullable(),
    /** Sends at the time of day of `startdate` in each recipient's time zone. */
    local_time: z.boolean().default(false),
    /** What recipients get, with `local_time`, in whose time zone the time is over by more than half an hour at the start. */
    local_past: z.enum(['tomorrow', 'now', 'skip']).default('tomorrow'),
    /** Sends to each recipient at the hour at which they usually open and click; null: at the campaign's time. */
    learned_time: learnedTime.nullable(),
    /** Who gets the campaign first: `engaged`, those who opened or clicked last; `column`, by `order_column`. */
    send_order: z.enum(sendOrders).default('any'),
    order_column: columnName.nullable(),
    order_descending: z.boolean().default(true),
    /** Batch size per `window_minutes`; 0 sends all at once. */
    window_mails: count.default(0),
    window_minutes: z.int().min(1).max(10_080).default(60),
    /** What to do with a scheduled campaign that is `missed_minutes` late, as no engine was running. */
    missed_policy: z.enum(['send', 'skip', 'ask']).default('send'),
    missed_minutes: z.int().min(1).max(525_600).default(60),
    use_domain_pool: z.boolean().default(false),
    /** Its start sends a placement check to all active test mailboxes. */
    check_placement: z.boolean().default(false),
    /** Whether deliveries with an unknown outcome, as they were in flight when an engine died, are sent again. */
    unknown_policy: z.enum(['leave', 'resend']).default('leave'),
    /** A/B test and holdout; null: everybody gets the same. */
    split: split.nullable(),
    /** When all mails of the sample had been tried once, and the winner was chosen. */
    split_sampled_at: instant.nullable(),
    split_decided_at: instant.nullable(),
    /** Index of the variant that the rest gets; null: not decided yet, or nobody gets anything. */
    split_winner: z.int().nullable(),
    split_result: splitResult.nullable(),
    /** The recurring campaign that it is a run of. */
    recurring_id: id.nullable(),
    estimated_volume: z.int(),
    combined_volume: z.int(),
    progress_cur: z.int(),
    manager_id: id.nullable(),
    screenshot: z.string().nullable(),
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    error_values: z.record(z.string(), z.unknown()).nullable(),
    /** When all receiving servers last accepted a test of the current version. */
    tested_at: instant.nullable(),
  },
  readOnly: [
    'ctype',
    'valid',
    'recurring_id',
    'split_sampled_at',
    'split_decided_at',
    'split_winner',
    'split_result',
    'enddate',
    'estimated_volume',
    'combined_volume',
    'progress_cur',
    'screenshot',
    'started_at',
    'finished_at',
    'error',
    'error_code',
    'error_values',
    'tested_at',
  ],
  required: {
    create: ['name'],
  },
  filters: {
    status: { operator: 'eq', column: 'valid', value: z.coerce.number().int().min(0).max(9) },
    type: { operator: 'eq', column: 'ctype', value: z.coerce.number().int().min(1).max(7) },
    startdateAfter: { operator: 'after', column: 'startdate', value: queryInstant },
    startdateBefore: { operator: 'before', column: 'startdate', value: queryInstant },
    startdate: { operator: 'after', column: 'startdate', value: queryInstant },
    enddate: { operator: 'before', column: 'startdate', value: queryInstant },
    /** Campaigns that have been started, in whatever state: those with reports. */
    started: { operator: 'special', value: flag },
    /** Actual start time, which determines the reports of a period. */
    start_date: { operator: 'after', column: 'started_at', value: queryInstant },
    end_date: { operator: 'before', column: 'started_at', value: queryInstant },
    /** Only test sends, or all others. */
    test: { operator: 'special', value: flag },
    member_table_id: { operator: 'eq', value: queryId },
    list_id: { operator: 'eq', value: queryId },
    message_id: { operator: 'eq', value: queryId },
    domain_id: { operator: 'eq', value: queryId },
    recurring_id: { operator: 'eq', value: queryId },
    /** With one of these values of categories. */
    category: { operator: 'special', value: queryId },
    /** Campaigns of a report group (R233). */
    reportinggroup_id: { operator: 'special', value: queryId },
  },
  search: ['name', 'subject'],
  sort: ['name', 'valid', 'startdate', 'started_at', 'finished_at', 'estimated_volume', 'progress_cur'],
  included: {
    domain: { resource: 'domain', via: 'domain_id' },
    list: { resource: 'list', via: 'list_id' },
    mailclass: { resource: 'mailclass', via: 'mailclass_id' },
    message: { resource: 'message', via: 'message_id' },
  },
})

/** Fields required to start a campaign (R282), for form and check. */
export const requiredToStart = [
  'name',
  'domain_id',
  'mailclass_id',
  'message_id',
  'list_id',
  'fromadr',
  'startdate',
] as const
