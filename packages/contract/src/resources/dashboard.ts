import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, name } from '../fields.ts'

export const widgetTypes = [
  'overview',
  'campaigns',
  'volume',
  'rates',
  'providers',
  'domains',
  'subscribers',
  'doi',
  'imports',
  'ipci',
  'transactional',
  'queue',
  'motd',
] as const

const place = z.int().min(0).max(100)

/** A dashboard: widgets on a grid, kept as JSON (D2 §3). */
export const dashboard = defineResource({
  name: 'dashboard',
  area: 'dashboard',
  entity: 'Dashboard',
  key: 'dashboard_id',
  paths: ['/dashboard/'],
  tenant: true,
  fields: {
    dashboard_id: id,
    name,
    content: z
      .array(
        z.object({
          type: z.enum(widgetTypes),
          title: z.string().max(255).optional(),
          x: place,
          y: place,
          w: place,
          h: place,
          options: z.record(z.string().max(63), z.unknown()).optional(),
        }),
      )
      .max(50),
    is_public: z.boolean(),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: { visibility: { operator: 'special', value: z.enum(['private', 'public']) } },
  search: ['name'],
  sort: ['name'],
  included: {},
})
