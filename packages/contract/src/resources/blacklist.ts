import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, line, name } from '../fields.ts'

export const blacklistKinds = ['campaign', 'client'] as const
export const blacklistMatches = ['email', 'domain', 'md5', 'sha256'] as const

/** A suppression list: used by campaigns that select it (`campaign`), or by all of the client's (`client`). */
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
    /** Alias of `globalblacklist` in some calls of the specification. */
    global: { operator: 'special', value: flag },
    address: { operator: 'special', value: line() },
  },
  search: ['name'],
  sort: ['name', 'count'],
  included: {},
})

/** A suppressed value. The value itself is its key, so entries have paths of their own instead of a resource. */
export const blacklistEntry = z.object({
  value: z.string(),
  reason: z.string().nullable(),
  source: z.string().nullable(),
  /** Username; null: EMMA itself. */
  added_by: z.string().nullable(),
  created_at: instant,
  expires_at: instant.nullable(),
})
