import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, line, queryText } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * Internal blacklist of the installation: addresses and domains that no client can mail, and its exceptions
 * (R104–R106).
 */
const base = { area: 'audience', superadminOnly: true, params: z.object({}) } as const

const paging = z.object({
  limit: z.coerce.number().int().min(0).max(1000).default(25),
  offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
  search: queryText.optional(),
})

const page = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  })

const value = z.string().max(320)
/** Addresses and domains. */
const values = z.array(value).min(1, checkFault('field.required')).max(10_000)

/** `removal_id` undoes the removal; null if nothing was removed. */
const removal = z.object({ removed: z.int(), removal_id: id.nullable() })

/** Minutes during which a removal can be undone. */
export const undoMinutes = 60

export const internalEntry = z.object({
  value: z.string(),
  match: z.enum(['email', 'domain']),
  reason: z.string().nullable(),
  /** Username; null: EMMA itself. */
  added_by: z.string().nullable(),
  created_at: instant,
  expires_at: instant.nullable(),
})

export const listInternalEntries = defineAction({
  ...base,
  name: 'listInternalEntries',
  method: 'GET',
  paths: ['/v2/blacklist-internal/'],
  permission: 'EmmaBlacklist:get',
  query: paging,
  body: z.unknown(),
  response: page(internalEntry),
})

export const addInternalEntries = defineAction({
  ...base,
  name: 'addInternalEntries',
  method: 'POST',
  paths: ['/v2/blacklist-internal/'],
  permission: 'EmmaBlacklist:post',
  query: z.object({}),
  body: z.strictObject({ values, reason: line(500).nullish(), expires_at: instant.nullish() }),
  response: z.object({ added: z.int(), existing: z.int() }),
})

export const removeInternalEntry = defineAction({
  ...base,
  name: 'removeInternalEntry',
  method: 'DELETE',
  paths: ['/v2/blacklist-internal/'],
  permission: 'EmmaBlacklist:delete',
  query: z.object({ value }),
  body: z.unknown(),
  response: removal,
})

export const internalExclude = z.object({
  value: z.string(),
  /** Client that it applies to; null: all. */
  client_id: id.nullable(),
  client: z.string().nullable(),
  reason: z.string().nullable(),
  added_by: z.string().nullable(),
  created_at: instant,
})

export const listInternalExcludes = defineAction({
  ...base,
  name: 'listInternalExcludes',
  method: 'GET',
  paths: ['/v2/blacklist-internal/exclude/'],
  permission: 'EmmaBlacklist:get',
  query: paging,
  body: z.unknown(),
  response: page(internalExclude),
})

export const addInternalExcludes = defineAction({
  ...base,
  name: 'addInternalExcludes',
  method: 'POST',
  paths: ['/v2/blacklist-internal/exclude/'],
  permission: 'EmmaBlacklist:post',
  query: z.object({}),
  body: z.strictObject({ values, client_id: id.nullish(), reason: line(500).nullish() }),
  response: z.object({ added: z.int(), existing: z.int() }),
})

export const removeInternalExclude = defineAction({
  ...base,
  name: 'removeInternalExclude',
  method: 'DELETE',
  paths: ['/v2/blacklist-internal/exclude/'],
  permission: 'EmmaBlacklist:delete',
  query: z.object({
    value,
    client_id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  }),
  body: z.unknown(),
  response: removal,
})

/** Undoes a removal from the internal list or from its exceptions, with who had added the value and why. */
export const restoreInternalRemoval = defineAction({
  ...base,
  name: 'restoreInternalRemoval',
  method: 'POST',
  paths: ['/v2/blacklist-internal/restore'],
  permission: 'EmmaBlacklist:post',
  query: z.object({}),
  body: z.strictObject({ removal_id: id }),
  response: z.object({ restored: z.int() }),
})
