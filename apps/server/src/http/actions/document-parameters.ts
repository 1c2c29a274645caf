import { flag } from '@emma/contract/fields.ts'
import { checkFault } from '@emma/contract/schema-faults.ts'
import { z } from 'zod'

/** Parameters of CouchDB's paths other than documents and queries. Values in a URL are JSON, as in `startkey="a"`. */

const key = z.string().max(255)
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue(checkFault('field.json'))
    return z.NEVER
  }
})
const jsonKey = json.pipe(key)
const jsonKeys = json.pipe(z.array(key).max(10_000))
const rows = z.coerce.number().int().min(0).max(1_000_000_000)

export const pathParameters = z.record(z.string(), z.string())

export const allDocs = z
  .looseObject({
    keys: jsonKeys.optional(),
    key: jsonKey.optional(),
    startkey: jsonKey.optional(),
    start_key: jsonKey.optional(),
    endkey: jsonKey.optional(),
    end_key: jsonKey.optional(),
    inclusive_end: flag.optional(),
    descending: flag.optional(),
    include_docs: flag.optional(),
    conflicts: flag.optional(),
    limit: rows.optional(),
    skip: rows.optional(),
  })
  .transform(({ key: only, keys: several, start_key, end_key, startkey, endkey, ...rest }) => ({
    inclusive_end: rest.inclusive_end,
    descending: rest.descending,
    include_docs: rest.include_docs,
    conflicts: rest.conflicts,
    limit: rest.limit,
    skip: rest.skip,
    keys: several,
    startkey: only ?? startkey ?? start_key,
    endkey: only ?? endkey ?? end_key,
  }))

export const keys = z.object({ keys: z.array(key).max(10_000).optional() })
export const ids = z.looseObject({ doc_ids: z.array(key).max(10_000).optional() })

export const changes = z
  .looseObject({
    since: z
      .union([z.literal('now'), z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
      .default(0),
    feed: z.enum(['normal', 'longpoll']).default('normal'),
    timeout: rows.optional(),
    style: z.enum(['main_only', 'all_docs']).optional(),
    limit: rows.optional(),
    descending: flag.optional(),
    include_docs: flag.optional(),
    conflicts: flag.optional(),
    doc_ids: jsonKeys.optional(),
    filter: z.literal('_doc_ids').optional(),
  })
  .transform(({ since, feed, timeout, style, limit, descending, include_docs, conflicts, doc_ids }) => ({
    since,
    feed,
    timeout,
    style,
    limit,
    descending,
    include_docs,
    conflicts,
    doc_ids,
  }))

const rev = z.string().max(64)

export const revisions = z
  .looseObject({
    rev: rev.optional(),
    revs: flag.optional(),
    latest: flag.optional(),
    conflicts: flag.optional(),
    new_edits: flag.optional(),
    open_revs: z.union([z.literal('all'), json.pipe(z.array(rev).max(1000))]).optional(),
  })
  .transform(query => ({
    rev: query.rev,
    revs: query.revs,
    latest: query.latest,
    conflicts: query.conflicts,
    new_edits: query.new_edits,
    open_revs: query.open_revs,
  }))

export const bulkGet = z.object({
  docs: z.array(z.looseObject({ id: key, rev: rev.optional() })).max(10_000),
})

export const offeredRevisions = z.record(key, z.array(rev).max(1000))

const direction = z.enum(['asc', 'desc'])

export const newIndex = z.looseObject({
  index: z.looseObject({
    fields: z
      .array(z.union([key, z.record(key, direction)]))
      .min(1)
      .max(10),
  }),
  name: key.optional(),
  ddoc: key.optional(),
  type: z.literal('json').optional(),
})
