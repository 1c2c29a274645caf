import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { count, id, line } from '../fields.ts'
import { esps } from './esp-login.ts'
import { checkFault } from '../schema-faults.ts'

/** A token of EMMA and its replacement at a service (R219). `/emma/{esp}/replacer/` is an alias. */
export const espReplacer = defineResource({
  name: 'esp_replacer',
  area: 'esps',
  entity: 'EmmaEspReplacer',
  key: 'id',
  label: 'search',
  paths: ['/emma/esp-replacer/'],
  tenant: true,
  fields: {
    id,
    esp: z.enum(esps),
    search: line(255).min(1, checkFault('field.empty')),
    replace: line(1000).nullable(),
    /** Lower numbers are replaced first. */
    order: count.default(0),
  },
  readOnly: [],
  required: { create: ['esp', 'search'] },
  filters: { esp: { operator: 'eq', value: z.enum(esps) } },
  search: ['search', 'replace'],
  sort: ['order', 'search'],
  included: {},
})
