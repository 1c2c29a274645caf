import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, name } from '../fields.ts'
import { isPermission } from '../permissions.ts'
import { checkFault } from '../schema-faults.ts'

export const role = defineResource({
  name: 'role',
  area: 'platform',
  entity: 'Role',
  key: 'id',
  label: 'name',
  paths: ['/role/'],
  tenant: false,
  superadminOnly: 'writes',
  fields: {
    id,
    name,
    permissions: z.array(z.string().refine(isPermission, checkFault('field.permission'))).default([]),
    is_administrator: z.boolean().default(false),
    /** Users with this role have no permissions until they set up a second factor. */
    requires_second_factor: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: {},
  search: ['name'],
  sort: ['name'],
  included: {},
})
