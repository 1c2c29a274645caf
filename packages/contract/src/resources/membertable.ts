import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { fieldTypes } from '../rules.ts'
import { count, id, instant, line, name, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'
import { languages } from './client.ts'

/** A column of a datasource (a row of the schema editor). Fixed columns cannot be removed or change their type. */
export const memberColumn = z.object({
  schema_id: id.optional(),
  column_name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, checkFault('field.column_name')),
  label: line(255).trim().min(1, checkFault('field.empty')),
  data_type: z.enum(fieldTypes),
  length: z.int().min(1).max(10_000).nullable().default(null),
  options: z.array(line(255)).max(1000).default([]),
  is_key: z.boolean().default(false),
  nullable: z.boolean().default(true),
  is_filterable: z.boolean().default(true),
  is_pii: z.boolean().default(false),
  is_fixed: z.boolean().default(false),
  /** Names by language of a topic that people choose on their preference page; only for yes or no. */
  topic: z.partialRecord(z.enum(languages), line(100)).nullable().default(null),
  position: count.default(0),
})
export type MemberColumn = z.infer<typeof memberColumn>

/** A datasource: a typed table of members, altered through `emmamembertableschema`. */
export const membertable = defineResource({
  name: 'membertable',
  area: 'audience',
  entity: 'EmmaMemberTable',
  key: 'member_table_id',
  label: 'name',
  paths: ['/emma/membertable/'],
  tenant: true,
  fields: {
    member_table_id: id,
    name,
    description: text(2000).nullable(),
    doi_required: z.boolean().default(false),
    /** Sends members that are created without a state of the double opt-in the confirmation request. */
    doi_request_new: z.boolean().default(false),
    /** Days after which a confirmation request is repeated once; 0: never. */
    doi_reminder_days: z.int().min(0).max(13).default(0),
    /**
     * Columns in order. Returned with single records, and in lists that include `emmamembertableschema`; written as a
     * whole.
     */
    emmamembertableschema: z.array(memberColumn).max(500, checkFault('field.too_many_columns')),
    /** Names of removed columns whose values may be lost; columns with values that are not named cannot be removed. */
    removed_columns: z.array(z.string().max(63)).max(500),
    stats_total: z.int(),
    stats_active: z.int(),
    stats_unsubscribed: z.int(),
    stats_hardbounce: z.int(),
    stats_softbounce: z.int(),
    stats_complaint: z.int(),
    stats_pending: z.int(),
    stats_at: instant.nullable(),
  },
  readOnly: [
    'stats_total',
    'stats_active',
    'stats_unsubscribed',
    'stats_hardbounce',
    'stats_softbounce',
    'stats_complaint',
    'stats_pending',
    'stats_at',
  ],
  writeOnly: ['removed_columns'],
  required: { create: ['name'] },
  filters: {},
  search: ['name', 'description'],
  sort: ['name', 'stats_total', 'stats_active'],
  included: { emmamembertableschema: { resource: 'membertableschema', via: 'member_table_id' } },
})
