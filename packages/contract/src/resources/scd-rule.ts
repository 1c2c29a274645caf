import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, line, name, providerId } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

export const scdActions = [
  'none',
  'deactivate',
  'retry_after',
  'backoff_provider',
  'pause_campaign',
  'quarantine_ip',
  'blacklist',
] as const

export const scdPhases = ['any', 'deferred', 'rejected'] as const

/** Why a mail was not accepted, in classes that lead to different actions. */
export const replyClasses = [
  'bad-mailbox',
  'bad-domain',
  'inactive-mailbox',
  'quota',
  'filtered',
  'spam',
  'policy',
  'reputation',
  'rate',
  'content',
  'connection',
  'system',
  'other',
] as const

/** A regular expression for replies, case-insensitive. */
const pattern = line(300)
  .refine(isPattern, checkFault('field.pattern'))
  .refine(source => !repeatsRepetition(source), checkFault('field.pattern_repeats'))
  .nullable()

/**
 * A rule for replies of receiving servers (R257, domain.md 2E: SMTP code decision): matches by provider, phase, codes,
 * text and class, and determines the classification and the action. The first match by priority applies. Written by
 * superadmins.
 */
export const scdRule = defineResource({
  name: 'scd_rule',
  area: 'deliverability',
  entity: 'ScdRule',
  key: 'id',
  label: 'name',
  paths: ['/v2/scd-rule/'],
  tenant: false,
  superadminOnly: true,
  fields: {
    id,
    /** Lower values are evaluated first. */
    priority: z.int().min(0).max(100_000).default(100),
    name,
    /** Null: any. */
    provider_id: providerId.nullable(),
    phase: z.enum(scdPhases).default('any'),
    code_pattern: pattern,
    enhanced_pattern: pattern,
    text_pattern: pattern,
    reply_class: z.enum(replyClasses).nullable(),
    /** Class to set instead; null keeps it. */
    set_class: z.enum(replyClasses).nullable(),
    set_hard: z.boolean().nullable(),
    action: z.enum(scdActions).default('none'),
    /** Duration in minutes: until the next attempt, of a back-off, or of a quarantine. */
    minutes: z.int().min(1).max(10_080).default(30),
    /** Matching replies within the window that trigger the action. */
    threshold: z.int().min(1).max(1_000_000).default(1),
    window_minutes: z.int().min(1).max(10_080).default(60),
    hits: z.int(),
    active: z.boolean().default(true),
  },
  readOnly: ['hits'],
  required: { create: ['name'] },
  filters: {
    action: { operator: 'eq', value: z.enum(scdActions) },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['name', 'text_pattern', 'code_pattern', 'enhanced_pattern'],
  sort: ['priority', 'name', 'action', 'hits', 'active'],
  included: {},
})

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'i')
    return true
  } catch {
    return false
  }
}

/** `(a+)+` and the like backtrack exponentially on crafted input, and replies are untrusted. */
function repeatsRepetition(source: string): boolean {
  return /\((?:[^()\\]|\\.)*(?:[+*]|\{\d+,\d*\})(?:[^()\\]|\\.)*\)(?:[+*]|\{\d+,)/.test(source)
}
