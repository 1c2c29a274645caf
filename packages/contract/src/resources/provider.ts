import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { count, id, line, name, text } from '../fields.ts'
import { domainName } from './domain.ts'

/** A mailbox provider of the installation: read by all, written by superadmins. 0 is "other". */
export const provider = defineResource({
  name: 'provider',
  area: 'deliverability',
  entity: 'EmmaProvider',
  key: 'provider_id',
  label: 'name',
  paths: ['/emma/provider/'],
  tenant: false,
  superadminOnly: 'writes',
  fields: {
    provider_id: z.union([id, z.literal(0)]),
    name,
    domains: z.array(domainName).max(1000).default([]),
    mx_patterns: z.array(line(253)).max(100).default([]),
    max_connections: count.default(0),
    max_per_hour: count.default(0),
    fbl: z.boolean().default(false),
    description: text(1000).nullable(),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: {},
  search: ['name'],
  sort: ['name'],
  included: {},
})
