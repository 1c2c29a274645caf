import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { instant, queryId, queryInstant, queryText } from '../fields.ts'

/** An entry: who, what, from where; `changes`: field → [before, after], without secrets. */
export const auditEntry = z.object({
  id: z.int(),
  ts: instant,
  client_id: z.int(),
  client: z.string().nullable(),
  user_id: z.int().nullable(),
  user: z.string(),
  /** Name of the API token, if one was used. */
  token: z.string().nullable(),
  /** Name of the role that the user viewed as. */
  view_role: z.string().nullable(),
  object: z.string(),
  object_id: z.int(),
  action: z.string(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
})

/**
 * Audit log, newest first. With `object` and `object_id` the history of one record, for users who may see the record;
 * otherwise requires `AuditLog:get`. Own clients only; the installation (client 0) for superadmins.
 */
export const listAuditLog = defineAction({
  name: 'listAuditLog',
  slow: true,
  area: 'platform',
  paths: ['/v2/audit-log/'],
  permission: null,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(500).default(25),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    object: queryText.optional(),
    object_id: queryId.optional(),
    user_id: queryId.optional(),
    client_id: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    action: queryText.optional(),
    after: queryInstant.optional(),
    before: queryInstant.optional(),
  }),
  response: z.object({
    data: z.array(auditEntry),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})
