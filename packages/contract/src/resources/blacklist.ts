import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, line, name } from '../fields.ts'

export const blacklistKinds = ['campaign', 'client'] as const
export const blacklistMatches = ['email', 'domain', 'md5', 'sha256'] as const

/** A suppression list: attached to campaigns by choice (`campaign`) or good for all of the client's (`client`). */
export const blacklist = defineResource({
  name: 'blacklist',
  area: 'audience',
  entity: 'EmmaBlacklist',
  key: 'blacklist_id',
  label: 'name',
  paths: ['/emma/blacklist/'],
  tenant: true,
  fields: {
    blacklist_id: id,
    name,
    kind: z.enum(blacklistKinds).default('campaign'),
    match: z.enum(blacklistMatches).default('email'),
    count: z.int(),
  },
  readOnly: ['count'],
  required: { create: ['name'] },
  filters: {
    type: { operator: 'eq', column: 'kind', value: z.enum(blacklistKinds) },
    globalblacklist: { operator: 'special', value: flag },
    /** The same, as some of the specification's calls name it. */
    global: { operator: 'special', value: flag },
    address: { operator: 'special', value: line() },
  },
  search: ['name'],
  sort: ['name', 'count'],
  included: {},
})

/** One suppressed value; its key is the value itself, so it has a path of its own and no resource. */
export const blacklistEntry = z.object({
  value: z.string(),
  reason: z.string().nullable(),
  source: z.string().nullable(),
  created_at: instant,
  expires_at: instant.nullable(),
})
