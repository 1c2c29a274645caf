import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, line, queryId, queryText } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/** Lists that one call may write; each takes all values in the same transaction. */
export const maxTargets = 20

const target = z.object({ client_id: id, blacklist_id: id })

/** Values that were added to several suppression lists at once (R210). `values` are entries of the lists. */
export const multiBlacklist = z.object({
  multi_id: id,
  status: z.enum(['applied', 'removed']),
  targets: z.array(
    target.extend({ client: z.string(), name: z.string(), added: z.int(), existing: z.int() }),
  ),
  /** Number of values. */
  count: z.int(),
  reason: z.string().nullable(),
  expires_at: instant.nullable(),
  created_at: instant,
  removed_at: instant.nullable(),
  /** Username. */
  added_by: z.string().nullable(),
})

const evicts = ['blacklist', 'multiblacklist']

/** Those of the active client whose targets are all accessible, newest first. `search`: part of the reason. */
export const listMultiBlacklists = defineAction({
  area: 'audience',
  name: 'listMultiBlacklists',
  method: 'GET',
  paths: ['/emma/multiblacklist/'],
  permission: 'EmmaMultiBlacklist:get',
  alsoNeeds: ['EmmaBlacklist:get'],
  query: z.object({
    limit: z.coerce.number().int().min(0).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
    search: queryText.optional(),
  }),
  body: z.unknown(),
  response: z.object({
    data: z.array(multiBlacklist),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/** Adds the values to every target, or to none if a value or a target is faulty. */
export const createMultiBlacklist = defineAction({
  area: 'audience',
  evicts,
  name: 'createMultiBlacklist',
  largeBody: true,
  method: 'POST',
  paths: ['/emma/multiblacklist/'],
  permission: 'EmmaMultiBlacklist:post',
  alsoNeeds: ['EmmaBlacklist:post'],
  body: z.strictObject({
    targets: z.array(target).min(1, checkFault('field.required')).max(maxTargets),
    values: z.array(z.string().max(320)).min(1, checkFault('field.required')).max(10_000),
    reason: line(500).nullish(),
    expires_at: instant.nullish(),
  }),
  response: multiBlacklist,
  status: 201,
})

/** Removes the entries that it added from every target; those that were there before stay. */
export const removeMultiBlacklist = defineAction({
  area: 'audience',
  evicts,
  name: 'removeMultiBlacklist',
  method: 'DELETE',
  paths: ['/emma/multiblacklist/{id}'],
  permission: 'EmmaMultiBlacklist:delete',
  alsoNeeds: ['EmmaBlacklist:delete'],
  params: z.object({ id: queryId }),
  body: z.unknown(),
  response: z.object({ removed: z.int() }),
})
