import type { scdActions } from '@emma/contract/resources/scd-rule.ts'
import type { ReplyClass } from '@emma/mail/smtp/reply-rules.ts'
import type { Outcome, Reply } from '../model/outcome.ts'

/** A rule over replies (ScdRule), as stored. Patterns are case-insensitive regular expressions. */
export interface ReplyRuleRow {
  id: number
  provider_id: number | null
  phase: string
  code_pattern: string | null
  enhanced_pattern: string | null
  text_pattern: string | null
  reply_class: string | null
  set_class: ReplyClass | null
  set_hard: boolean | null
  action: (typeof scdActions)[number]
  minutes: number
  threshold: number
  window_minutes: number
}

/** A compiled rule. */
export interface ReplyRule extends ReplyRuleRow {
  matches(providerId: number, kind: string, reply: Reply): boolean
}

/** Compiles rules once. Those with invalid patterns are skipped and returned as `broken`. */
export function compileRules(rows: readonly ReplyRuleRow[]): { rules: ReplyRule[]; broken: number[] } {
  const rules: ReplyRule[] = []
  const broken: number[] = []
  for (const row of rows) {
    try {
      rules.push(compileRule(row))
    } catch {
      broken.push(row.id)
    }
  }
  return { rules, broken }
}

/** @throws SyntaxError for an invalid regular expression */
export function compileRule(row: ReplyRuleRow): ReplyRule {
  const code = pattern(row.code_pattern)
  const enhanced = pattern(row.enhanced_pattern)
  const text = pattern(row.text_pattern)
  return {
    ...row,
    matches: (providerId, kind, reply) =>
      (row.provider_id === null || row.provider_id === providerId) &&
      (row.phase === 'any' || row.phase === kind) &&
      (row.reply_class === null || row.reply_class === reply.class) &&
      (code === null || code.test(String(reply.code ?? ''))) &&
      (enhanced === null || enhanced.test(reply.enhanced ?? '')) &&
      (text === null || text.test(reply.text.slice(0, MOST_TEXT))),
  }
}

const MOST_TEXT = 1_000

function pattern(source: string | null): RegExp | null {
  return source === null || source === '' ? null : new RegExp(source, 'i')
}

/**
 * Returns the first rule that matches an outcome; none for accepted messages and those that did not reach a server.
 */
export function findRule(
  rules: readonly ReplyRule[],
  providerId: number,
  outcome: Outcome,
): { rule: ReplyRule; reply: Reply } | null {
  if (outcome.kind !== 'deferred' && outcome.kind !== 'rejected') return null
  const rule = rules.find(one => one.matches(providerId, outcome.kind, outcome.reply))
  return rule ? { rule, reply: outcome.reply } : null
}

/**
 * Changes an outcome by a rule: another class, hard or not, or deferred instead of rejected.
 * @param scale factor for delays in seconds; 1 except in the testbed
 */
export function applyRule(outcome: Outcome, rule: ReplyRule, scale: number): Outcome {
  if (outcome.kind !== 'deferred' && outcome.kind !== 'rejected') return outcome
  const reply = {
    ...outcome.reply,
    class: rule.set_class ?? outcome.reply.class,
    hard: rule.action === 'deactivate' ? true : (rule.set_hard ?? outcome.reply.hard),
  }
  if (rule.action !== 'retry_after' && rule.action !== 'backoff_provider') return { ...outcome, reply }
  if (rule.action === 'backoff_provider' && outcome.kind === 'rejected') return { ...outcome, reply }
  return { kind: 'deferred', reply: { ...reply, hard: false }, retryAfter: rule.minutes * 60 * scale }
}
