import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, line, name } from '../fields.ts'
import { jsonObject } from '../json-object.ts'
import { checkFault } from '../schema-faults.ts'

/** A row that a user saved in Beefree's editor (R264). `row_json` is the row in Beefree's format. */
export const beepluginRow = defineResource({
  name: 'beeplugin_row',
  area: 'content',
  entity: 'BeePluginRow',
  key: 'id',
  label: 'name',
  paths: ['/beeplugin/row/'],
  tenant: true,
  fields: {
    id,
    name,
    category: line(100).nullable(),
    row_json: jsonObject(500_000),
    scope: line(100).nullable(),
    tags: z.array(line(100)).max(50).default([]),
    /** Web address of a picture. */
    thumbnail: z
      .url({ protocol: /^https?$/, error: checkFault('field.url') })
      .max(2000)
      .nullable(),
  },
  readOnly: [],
  required: { create: ['name', 'row_json'] },
  filters: {
    category: { operator: 'eq', value: line(100) },
    scope: { operator: 'eq', value: line(100) },
  },
  search: ['name'],
  sort: ['name', 'category'],
  included: {},
})
