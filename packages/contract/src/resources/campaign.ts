import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { clockTime, count, email, flag, id, instant, line, name, queryId, queryInstant } from '../fields.ts'
import { throttleUnits } from './mailclass.ts'

/** A campaign, with the fields of the specification (D2 §3) and domain.md 2A. States: campaign-states.ts. */
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
    test_group_id: id.nullable(),
    fromadr: email.nullable(),
    fromname: line().nullable(),
    reply_to: email.nullable(),
    /** Overrides the message's subject when set. */
    subject: line(998).nullable(),
    startdate: instant.nullable(),
    enddate: instant.nullable(),
    /** Mails per `throttle_unit`; 0 takes the mail class's rate. */
    throttle: count.default(0),
    throttle_unit: z.enum(throttleUnits).default('hour'),
    /** Hours in which nothing begins, in the client's time zone, in local time in each recipient's; null takes the client's. */
    quiet_from: clockTime.nullable(),
    quiet_to: clockTime.nullable(),
    /** At the hour of `startdate` by each recipient's own clock. */
    local_time: z.boolean().default(false),
    /** So many in `window_minutes`; 0 is all at once. */
    window_mails: count.default(0),
    window_minutes: z.int().min(1).max(10_080).default(60),
    /** What becomes of a schedule that came due while nothing ran, once it is `missed_minutes` late. */
    missed_policy: z.enum(['send', 'skip', 'ask']).default('send'),
    missed_minutes: z.int().min(1).max(525_600).default(60),
    use_domain_pool: z.boolean().default(false),
    /** What becomes of mails that were in flight when a sender died: left alone, or sent again on purpose. */
    unknown_policy: z.enum(['leave', 'resend']).default('leave'),
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
    /** When a test of it as it is was last accepted by every server. */
    tested_at: instant.nullable(),
  },
  readOnly: [
    'ctype',
    'valid',
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
    /** Those that have ever sent, whatever state they are in: what there are reports of. */
    started: { operator: 'special', value: flag },
    /** When it was really started: what reports of a period are of. */
    start_date: { operator: 'after', column: 'started_at', value: queryInstant },
    end_date: { operator: 'before', column: 'started_at', value: queryInstant },
    /** Test sends, or everything but those. */
    test: { operator: 'special', value: flag },
    member_table_id: { operator: 'eq', value: queryId },
    list_id: { operator: 'eq', value: queryId },
    message_id: { operator: 'eq', value: queryId },
    domain_id: { operator: 'eq', value: queryId },
    /** Campaigns of a reporting group (R233). */
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

/** Fields a campaign needs before it may start (R282), said once for form and pre-flight. */
export const requiredToStart = [
  'name',
  'domain_id',
  'mailclass_id',
  'message_id',
  'list_id',
  'fromadr',
  'startdate',
] as const
