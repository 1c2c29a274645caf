import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, name } from '../fields.ts'

/** A group of test subscribers. */
export const testgroup = defineResource({
  name: 'testgroup',
  area: 'audience',
  entity: 'TestGroup',
  key: 'id',
  label: 'name',
  paths: ['/testgroup/'],
  tenant: true,
  fields: {
    id,
    name,
    address_ids: z.array(id).max(1000).default([]),
    is_default: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: {},
  search: ['name'],
  sort: ['name'],
  included: {},
})
