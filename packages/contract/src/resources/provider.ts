import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { count, id, line, name } from '../fields.ts'
import { domainName } from './domain.ts'

/** A receiving provider, platform-wide: read by all, written by superadmins. 0 is "other". */
export const provider = defineResource({
  name: 'provider',
  area: 'deliverability',
  entity: 'EmmaProvider',
  key: 'provider_id',
  paths: ['/emma/provider/'],
  tenant: false,
  superadminOnly: 'writes',
  fields: {
    provider_id: z.union([id, z.literal(0)]),
    name,
    domains: z.array(domainName).max(1000),
    mx_patterns: z.array(line(253)).max(100),
    max_connections: count,
    max_per_hour: count,
    fbl: z.boolean(),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: {},
  search: ['name'],
  sort: ['name'],
  included: {},
})
