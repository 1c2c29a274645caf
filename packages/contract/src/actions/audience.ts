import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { flag, id, instant, line, queryId, queryText, sendOnceKey } from '../fields.ts'
import { learnedTime } from '../learned-time.ts'
import { blacklistEntry } from '../resources/blacklist.ts'
import { dataupload, uploadModes } from '../resources/dataupload.ts'
import { ruleQuery } from '../rules.ts'
import { checkFault } from '../schema-faults.ts'
import { codeFields } from '../fault-fields.ts'

const nothing = z.object({})
const page = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  })
const paging = {
  limit: z.coerce.number().int().min(0).max(10_000).default(25),
  offset: z.coerce.number().int().nonnegative().default(0),
}

/** A member in responses: the fields of resources/member.ts and the columns of its datasource. */
const memberRecord = z.looseObject({ member_id: id, email: z.string(), revision: z.int() })
/** Response of a write; without personal data for users who may not read members. */
const writtenMember = memberRecord.partial({ email: true })

const members = '/v2/emma/client/{client_id}/membertable/{member_table_id}/member/' as const
const tableParams = z.object({ client_id: queryId, member_table_id: queryId })
const memberParams = tableParams.extend({ member_id: queryId })
const memberBase = { area: 'audience', evicts: ['member', 'membertable'] } as const

/**
 * Filters, paging, search and sort as in resources/member.ts; filters (column-filters.ts) and sort also accept the
 * datasource's columns.
 */
export const listMembers = defineAction({
  ...memberBase,
  name: 'listMembers',
  slow: true,
  method: 'GET',
  paths: [members],
  permission: 'EmmaMember:get',
  params: tableParams,
  query: z.looseObject({}),
  body: z.unknown(),
  response: page(memberRecord),
})

export const findMember = defineAction({
  ...memberBase,
  name: 'findMember',
  method: 'GET',
  paths: [`${members}{member_id}`],
  permission: 'EmmaMember:get',
  params: memberParams,
  query: z.looseObject({}),
  body: z.unknown(),
  response: memberRecord,
})

const memberInput = z.record(z.string().max(63), z.unknown())

export const createMember = defineAction({
  ...memberBase,
  name: 'createMember',
  method: 'POST',
  paths: [members],
  permission: 'EmmaMember:post',
  params: tableParams,
  query: nothing,
  body: memberInput,
  response: writtenMember,
  status: 201,
})

/** Absent fields are unchanged, null clears. X-Revision is checked. */
export const patchMember = defineAction({
  ...memberBase,
  name: 'patchMember',
  method: 'PATCH',
  paths: [`${members}{member_id}`],
  permission: 'EmmaMember:patch',
  params: memberParams,
  query: nothing,
  body: memberInput,
  response: writtenMember,
})

export const deleteMember = defineAction({
  ...memberBase,
  name: 'deleteMember',
  method: 'DELETE',
  paths: [`${members}{member_id}`],
  permission: 'EmmaMember:delete',
  params: memberParams,
  query: z.looseObject({}),
  body: z.unknown(),
  response: z.null(),
  status: 204,
})

/** Erases a person (GDPR): see erase-member.ts of core. */
export const eraseMember = defineAction({
  ...memberBase,
  name: 'eraseMember',
  method: 'POST',
  paths: [`${members}{member_id}/erase`],
  permission: 'EmmaMember:delete',
  params: memberParams,
  query: nothing,
  body: z.unknown(),
  response: z.object({ ok: z.literal(true) }),
})

export const unsubscribeMember = defineAction({
  ...memberBase,
  name: 'unsubscribeMember',
  method: 'POST',
  paths: [`${members}{member_id}/unsubscribe`],
  permission: 'EmmaMember:patch',
  params: memberParams,
  query: nothing,
  body: z.unknown(),
  response: writtenMember,
})

/** The reason is stored as proof. */
export const resubscribeMember = defineAction({
  ...memberBase,
  name: 'resubscribeMember',
  method: 'POST',
  paths: [`${members}{member_id}/resubscribe`],
  permission: 'EmmaMember:patch',
  params: memberParams,
  query: nothing,
  body: z.object({ reason: line(500).trim().min(1, checkFault('field.required')) }),
  response: writtenMember,
})

/**
 * Sends the confirmation request of the double opt-in again. `recent`: not sent, as one was within the last hour, or
 * five within 14 days. `confirmed`: not sent, as the member is confirmed.
 */
export const confirmMember = defineAction({
  ...memberBase,
  name: 'confirmMember',
  method: 'POST',
  paths: [`${members}{member_id}/confirm`],
  permission: 'EmmaMember:patch',
  params: memberParams,
  query: nothing,
  body: z.unknown(),
  response: z.object({ outcome: z.enum(['requested', 'recent', 'confirmed']) }),
})

/** Activity of a member, newest first: events, and mails of the ledger. */
export const memberActivity = defineAction({
  ...memberBase,
  name: 'memberActivity',
  method: 'GET',
  paths: [`${members}{member_id}/activity`],
  permission: 'EmmaMember:get',
  params: memberParams,
  query: z.object(paging),
  body: z.unknown(),
  response: page(
    z.looseObject({
      ts: instant.nullable(),
      type: z.string(),
      campagne_id: id.nullable(),
      campaign_name: z.string().nullable(),
      /** Number of the clicked link in the campaign's message. */
      link_index: z.int().nullable(),
      url: z.string().nullable(),
      device: z.string().nullable(),
      verdict: z.string().nullable(),
      /** Rule of the classification, with the product after a slash: `filter_network/Barracuda`. */
      verdict_reason: z.string().nullable(),
      skip_reason: z.string().nullable(),
      reply: z.string().nullable(),
    }),
  ),
})

/** A saved segment, or rules over a datasource; `unsub` is the specification's name of `include_unsubscribed`. */
export const countQuestion = z.strictObject({
  list_id: id.optional(),
  query: ruleQuery.nullable().optional(),
  member_table_id: id.optional(),
  include_unsubscribed: z.boolean().optional(),
  unsub: z.boolean().optional(),
  excludes: z.array(id).max(50).optional(),
  blacklist_ids: z.array(id).max(100).optional(),
  capping_id: id.nullable().optional(),
  /** Skips members who got a campaign with this key. */
  send_once_key: sendOnceKey.nullable().optional(),
  /** Template of the campaign, whose category a cap by category compares. */
  message_id: id.nullable().optional(),
  total_only: z.boolean().optional(),
})

const segmentCount = z.object({
  total: z.int(),
  excluded: z.int(),
  estimated_volume: z.int(),
  combined_volume: z.int(),
  by_provider: z.array(z.object({ provider_id: z.int(), name: z.string(), count: z.int() })),
  preblocked: z.record(z.string(), z.int()),
})

const counting = {
  area: 'audience',
  permission: 'EmmaList:get',
  query: nothing,
  body: countQuestion,
  response: segmentCount,
} as const

/**
 * Counts the audience of a campaign (R178), also for unsaved rules; those that compare member data also require
 * EmmaMember:get.
 */
export const countList = defineAction({
  ...counting,
  name: 'countList',
  slow: true,
  largeBody: true,
  method: 'POST',
  reads: true,
  paths: ['/v2/emma/client/{client_id}/campaign/list:count', '/emma/list:count'],
  params: z.object({ client_id: queryId.optional() }),
})

/** `countList` for a campaign, whose settings are the defaults of the body. */
export const countCampaignList = defineAction({
  ...counting,
  name: 'countCampaignList',
  slow: true,
  largeBody: true,
  method: 'POST',
  reads: true,
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/list:count'],
  params: z.object({ client_id: queryId, campaign_id: queryId }),
  body: countQuestion.nullish(),
})

export const countCampaignListNow = defineAction({
  ...counting,
  name: 'countCampaignListNow',
  slow: true,
  method: 'GET',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/list:count'],
  params: z.object({ client_id: queryId, campaign_id: queryId }),
  body: z.unknown(),
})

/** Hours at which the members of a segment open and click, for learned send times (learned-time.ts). */
export const countListHours = defineAction({
  area: 'audience',
  name: 'countListHours',
  slow: true,
  method: 'POST',
  reads: true,
  permission: 'EmmaList:get',
  paths: ['/v2/emma/client/{client_id}/campaign/list:hours'],
  params: z.object({ client_id: queryId }),
  body: z.strictObject({
    list_id: id,
    excludes: z.array(id).max(50).default([]),
    min_observations: learnedTime.shape.min_observations,
  }),
  response: z.object({
    /** Members of the segment, and not of an excluded one. */
    total: z.int(),
    /** Those of them with enough observations, by best hour: 24 numbers from midnight on. */
    by_hour: z.array(z.int()),
    /** Quiet hours of the client. */
    quiet_from: z.string().nullable(),
    quiet_to: z.string().nullable(),
  }),
})

/** First members of a saved segment (R205); filters and sort as in listMembers. */
export const previewList = defineAction({
  name: 'previewList',
  slow: true,
  area: 'audience',
  paths: ['/emma/list/{id}/member/'],
  permission: 'EmmaList:get',
  alsoNeeds: ['EmmaMember:get'],
  params: z.object({ id: queryId }),
  query: z.looseObject({}),
  response: page(memberRecord),
})

const entries = '/emma/blacklist/{id}/entry/' as const
const entryParams = z.object({ id: queryId })

export const listBlacklistEntries = defineAction({
  name: 'listBlacklistEntries',
  area: 'audience',
  method: 'GET',
  paths: [entries],
  permission: 'EmmaBlacklist:get',
  params: entryParams,
  query: z.object({ ...paging, search: queryText.optional() }),
  body: z.unknown(),
  response: page(blacklistEntry),
})

export const addBlacklistEntries = defineAction({
  name: 'addBlacklistEntries',
  largeBody: true,
  area: 'audience',
  method: 'POST',
  paths: [entries],
  permission: 'EmmaBlacklist:post',
  params: entryParams,
  query: nothing,
  body: z.strictObject({
    values: z.array(z.string().max(320)).min(1, checkFault('field.required')).max(10_000),
    reason: line(500).nullish(),
    expires_at: instant.nullish(),
  }),
  response: z.object({ added: z.int(), existing: z.int() }),
  evicts: ['blacklist'],
})

/** `?value[]=a@b.de&value[]=…` */
export const removeBlacklistEntries = defineAction({
  name: 'removeBlacklistEntries',
  area: 'audience',
  method: 'DELETE',
  paths: [entries],
  permission: 'EmmaBlacklist:delete',
  params: entryParams,
  query: z.object({
    'value[]': z.union([z.string().max(320), z.array(z.string().max(320)).max(1000)]).optional(),
    value: z.union([z.string().max(320), z.array(z.string().max(320)).max(1000)]).optional(),
  }),
  body: z.unknown(),
  response: z.object({ removed: z.int() }),
  evicts: ['blacklist'],
})

/** JSON part `data` of an upload; the part `file` contains the file, plain or gzip. */
export const uploadData = z.strictObject({
  member_table_id: id.nullish(),
  blacklist_id: id.nullish(),
  client_id: id.nullish(),
  filename: line(255).nullish(),
  mode: z.enum(uploadModes).optional(),
  mapping: dataupload.fields.mapping.nullish(),
  delimiter: dataupload.fields.delimiter.optional(),
  charset: dataupload.fields.charset.optional(),
  test: flag.optional(),
})
export type UploadData = z.infer<typeof uploadData>

const uploadRecord = z.looseObject({ id, status: z.int() })

/** Multipart: `data`, then `file`. Returns the analysed upload (status 1). */
export const createUpload = defineAction({
  name: 'createUpload',
  area: 'audience',
  keepsFile: true,
  takesFile: true,
  method: 'POST',
  paths: ['/v2/dataupload/'],
  permission: 'DataUpload:post',
  body: uploadData,
  response: uploadRecord,
  evicts: ['dataupload'],
  status: 201,
})

const uploadAction = {
  area: 'audience',
  params: z.object({ id: queryId }),
  query: z.looseObject({}),
  body: z.unknown(),
} as const

const uploadPreviewQuestion = z.strictObject({
  mapping: dataupload.fields.mapping.optional(),
  empty_bad_cells: z.boolean().optional(),
})
export type UploadPreviewQuestion = z.infer<typeof uploadPreviewQuestion>

export const previewOutcomes = ['new', 'update', 'unsubscribe', 'delete', 'skipped'] as const
export type PreviewOutcome = (typeof previewOutcomes)[number]

const uploadPreviewRecord = z.object({
  /** Columns of the target that the file fills; `index`: their position in the file. */
  columns: z.array(z.object({ index: z.int(), column_name: z.string(), label: z.string() })),
  rows: z.array(
    z.object({
      /** Row number in the file, from 1. */
      row: z.int(),
      outcome: z.enum(previewOutcomes),
      /** Why a row is skipped, and the column that causes it. */
      reason: z.string().nullable(),
      ...codeFields,
      column: z.string().nullable(),
      /** One per column. `value`: as stored, or as in the file for a skipped row. `fault`: why it does not fit. */
      cells: z.array(z.object({ value: z.string().nullable(), fault: z.string().nullable(), ...codeFields })),
    }),
  ),
})
export type UploadPreview = z.infer<typeof uploadPreviewRecord>

/** The first rows as the import would store them, with a mapping that may be unsaved. */
export const previewUpload = defineAction({
  ...uploadAction,
  name: 'previewUpload',
  method: 'POST',
  reads: true,
  paths: ['/dataupload/{id}/preview'],
  permission: 'DataUpload:patch',
  alsoNeeds: ['EmmaMember:get'],
  body: uploadPreviewQuestion.nullish(),
  response: uploadPreviewRecord,
})

/** Starts the import; progress is pushed as JOB_PROGRESS. */
export const startUpload = defineAction({
  ...uploadAction,
  name: 'startUpload',
  method: 'POST',
  paths: ['/dataupload/{id}/start'],
  permission: 'DataUpload:patch',
  response: uploadRecord,
  evicts: ['dataupload', 'member', 'membertable'],
})

export const cancelUpload = defineAction({
  ...uploadAction,
  name: 'cancelUpload',
  method: 'POST',
  paths: ['/dataupload/{id}/cancel'],
  permission: 'DataUpload:patch',
  response: uploadRecord,
  evicts: ['dataupload'],
})

const uploadUndo = z.object({
  /** Members added by the import, which are deleted. */
  removed: z.int(),
  /** Members that get their previous values back. */
  restored: z.int(),
  /** Members of the import that were changed, mailed or opted out since, and stay unchanged. */
  kept: z.int(),
})
export type UploadUndo = z.infer<typeof uploadUndo>

/** Counts what an undo of the import would do now. */
export const countUploadUndo = defineAction({
  ...uploadAction,
  name: 'countUploadUndo',
  slow: true,
  method: 'GET',
  paths: ['/dataupload/{id}/undo'],
  permission: 'DataUpload:patch',
  alsoNeeds: ['EmmaMember:delete'],
  response: uploadUndo,
})

/** Undoes an import in the background; progress is pushed as JOB_PROGRESS. */
export const undoUpload = defineAction({
  ...uploadAction,
  name: 'undoUpload',
  method: 'POST',
  paths: ['/dataupload/{id}/undo'],
  permission: 'DataUpload:patch',
  alsoNeeds: ['EmmaMember:delete'],
  response: uploadRecord,
  evicts: ['dataupload', 'member', 'membertable'],
})

/** CSV: row number, reason, column, then the original cells. */
export const uploadErrors = defineAction({
  ...uploadAction,
  name: 'uploadErrors',
  method: 'GET',
  paths: ['/dataupload/{id}/errors'],
  permission: 'DataUpload:get',
  alsoNeeds: ['EmmaMember:get'],
  response: z.unknown(),
  answer: 'file',
})

/** Used and available upload quota of the client this month (R246). */
export const uploadQuota = defineAction({
  name: 'uploadQuota',
  area: 'audience',
  paths: ['/v2/dataupload:quota'],
  permission: 'DataUpload:get',
  query: z.object({ client_id: queryId.optional() }),
  response: z.object({
    bytes_used: z.int(),
    bytes_limit: z.int(),
    rows_used: z.int(),
    rows_limit: z.int(),
    resets_at: instant,
  }),
})
