import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, name } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/** Most values of a category. */
export const MAX_CATEGORY_VALUES = 200

/** A value of a category. Ids are unique over all categories; a new value has none. */
export const categoryValue = z.strictObject({
  value_id: id.nullable().default(null),
  label: name,
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, checkFault('field.color'))
    .nullable()
    .default(null),
  /** Others stay on campaigns that have them, and are not offered any more. */
  active: z.boolean().default(true),
})

/** A category of campaigns (R215). Values that campaigns use can be deactivated, not removed. */
export const category = defineResource({
  name: 'category',
  area: 'campaigns',
  entity: 'EmmaCategoryValue',
  key: 'category_id',
  label: 'name',
  paths: ['/emma/category/'],
  tenant: true,
  fields: {
    category_id: id,
    name,
    /** Whether a campaign may have several of the values. */
    is_multi: z.boolean().default(false),
    /** Whether a campaign needs a value before it can start. */
    is_required: z.boolean().default(false),
    values: z.array(categoryValue).max(MAX_CATEGORY_VALUES).default([]),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: {},
  search: ['name'],
  sort: ['name'],
  included: {},
})
