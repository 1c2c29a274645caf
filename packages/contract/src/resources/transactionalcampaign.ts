import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { count, email, flag, id, instant, line, name } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'
import { dataFields } from '../transactional/data-fields.ts'

/** What an email that is submitted over SMTP is: refused, data for the template, or sent as it is. */
export const smtpModes = ['off', 'template', 'free'] as const

/**
 * A transactional email: a template with its sender, sent by programs one recipient at a time. Transactional mail
 * ignores unsubscribes; hard bounces and the internal suppression list are respected.
 */
export const transactionalcampaign = defineResource({
  name: 'transactionalcampaign',
  area: 'transactional',
  entity: 'EmmaTransactional',
  key: 'id',
  label: 'name',
  paths: ['/transactionalcampaign/'],
  tenant: true,
  fields: {
    id,
    name,
    /** Name for programs, unique in the client. */
    slug: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, checkFault('field.small_letters'))
      .nullable(),
    domain_id: id,
    mailclass_id: id,
    message_id: id,
    /** Datasource of the members whose fields the template may use. */
    member_table_id: id.nullable(),
    fromadr: email,
    fromname: line().nullable(),
    reply_to: email.nullable(),
    is_tracked: z.boolean().default(true),
    data_fields: dataFields.default([]),
    /** Emails that calls may send per minute; 0: no limit. */
    rate_per_minute: count.max(1_000_000).default(0),
    /** Days for which the data of sent emails is kept, for the log and resending. */
    keep_days: z.int().min(3).max(365).default(30),
    active: z.boolean().default(true),
    smtp_mode: z.enum(smtpModes).default('off'),
    /** Last characters of the API key; null without a key. */
    key_hint: z.string().nullable(),
    key_created_at: instant.nullable(),
  },
  readOnly: ['key_hint', 'key_created_at'],
  required: { create: ['name', 'domain_id', 'mailclass_id', 'message_id', 'fromadr'] },
  filters: { onlyactive: { operator: 'flag', column: 'active', value: flag } },
  search: ['name', 'slug', 'fromadr'],
  sort: ['name', 'active', 'fromadr'],
  included: {},
})
