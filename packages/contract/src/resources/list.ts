import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, name, queryId } from '../fields.ts'
import { ruleQuery } from '../rules.ts'

const listKinds = ['dynamic', 'static', 'sql', 'upload'] as const

/** A segment: a rule query over one datasource. An empty query selects every active member. */
export const list = defineResource({
  name: 'list',
  area: 'audience',
  entity: 'EmmaList',
  key: 'list_id',
  label: 'name',
  paths: ['/emma/list/'],
  tenant: true,
  largeBody: true,
  fields: {
    list_id: id,
    name,
    member_table_id: id,
    kind: z.enum(listKinds),
    query: ruleQuery.nullable(),
    include_unsubscribed: z.boolean().default(false),
    count: z.int().nullable(),
    counted_at: instant.nullable(),
  },
  readOnly: ['kind', 'count', 'counted_at'],
  required: { create: ['name', 'member_table_id'] },
  filters: {
    member_table_id: { operator: 'eq', value: queryId },
    include_unsubscribed: { operator: 'flag', value: flag },
    /** Lists segments of all datasources, whatever `member_table_id` is. */
    all_membertables: { operator: 'special', value: flag },
  },
  search: ['name'],
  sort: ['name', 'count', 'counted_at'],
  included: { membertable: { resource: 'membertable', via: 'member_table_id' } },
})
