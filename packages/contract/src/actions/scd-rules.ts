import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, line, queryId } from '../fields.ts'
import { replyClasses, scdActions } from '../resources/scd-rule.ts'

const base = { area: 'deliverability', superadminOnly: true } as const

const actionRow = z.object({
  id,
  rule_id: id,
  rule: z.string(),
  action: z.enum(scdActions),
  client_id: id,
  client: z.string(),
  campagne_id: id.nullable(),
  campaign: z.string().nullable(),
  mailclass: z.string().nullable(),
  provider: z.string().nullable(),
  send_ip: z.string().nullable(),
  email: z.string().nullable(),
  /** Reply of the receiving server. Untrusted: show it as text, never as markup. */
  reply: z.string(),
  hits: z.int(),
  acted_at: instant,
  until: instant.nullable(),
  undone_at: instant.nullable(),
})
export type ScdActionRow = z.infer<typeof actionRow>

/** Actions of the reply rules, newest first. */
export const listScdActions = defineAction({
  ...base,
  name: 'listScdActions',
  method: 'GET',
  paths: ['/v2/scd-rule:log'],
  permission: 'ScdRule:get',
  params: z.object({}),
  query: z.object({
    limit: z.coerce.number().int().min(0).max(200).default(25),
    offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
    rule_id: queryId.optional(),
  }),
  body: z.unknown(),
  response: z.object({
    data: z.array(actionRow),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/**
 * Undoes an action of a rule: ends a back-off or quarantine, resumes the campaign, removes the address from the
 * suppression list.
 */
export const undoScdAction = defineAction({
  ...base,
  name: 'undoScdAction',
  method: 'POST',
  paths: ['/v2/scd-rule:undo/{id}'],
  permission: 'ScdRule:patch',
  params: z.object({ id: queryId }),
  query: z.object({}),
  body: z.unknown(),
  response: z.object({ undone: z.boolean() }),
  evicts: ['scd_rule', 'campaign', 'blacklist'],
})

/** Evaluates the rules for a reply: returns the first that matches and its effect. */
export const testScdRules = defineAction({
  ...base,
  name: 'testScdRules',
  method: 'POST',
  paths: ['/v2/scd-rule:test'],
  permission: 'ScdRule:get',
  reads: true,
  params: z.object({}),
  query: z.object({}),
  body: z.object({ reply: line(1000).min(3), provider_id: z.int().min(0).nullable().default(null) }),
  response: z.object({
    kind: z.enum(['deferred', 'rejected', 'sent']),
    class: z.enum(replyClasses),
    hard: z.boolean(),
    rule_id: id.nullable(),
    rule: z.string().nullable(),
    action: z.enum(scdActions),
  }),
})
