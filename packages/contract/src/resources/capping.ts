import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, name } from '../fields.ts'

/** Frequency cap: at most `max_mails` accepted mails per address in a sliding window. */
export const capping = defineResource({
  name: 'capping',
  area: 'campaigns',
  entity: 'EmmaCapping',
  key: 'capping_id',
  label: 'name',
  paths: ['/emma/capping/'],
  tenant: true,
  fields: {
    capping_id: id,
    name,
    max_mails: z.int().min(1).max(10_000),
    period_hours: z
      .int()
      .min(1)
      .max(24 * 366),
    scope: z.enum(['client', 'member_table', 'category_value']).default('client'),
  },
  readOnly: [],
  required: { create: ['name', 'max_mails', 'period_hours'] },
  filters: {},
  search: ['name'],
  sort: ['name', 'max_mails', 'period_hours'],
  included: {},
})
