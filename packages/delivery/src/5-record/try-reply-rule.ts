import type { Db } from '@emma/db/connection.ts'
import { classifyReply } from '@emma/mail/smtp/classify-reply.ts'
import { parseQuotedReply } from '@emma/mail/smtp/reply.ts'
import type { ReplyClass } from '@emma/mail/smtp/reply-rules.ts'
import { applyRule, compileRules, findRule, type ReplyRuleRow } from './match-reply.ts'
import { readRules } from './read-rules.ts'

/** Result of a reply under the rules. */
export interface TestedReply {
  kind: 'sent' | 'deferred' | 'rejected'
  class: ReplyClass
  hard: boolean
  /** The rule that applies; null: none. */
  rule_id: number | null
  rule: string | null
  action: ReplyRuleRow['action']
}

/** Tests the rules on a reply, without effects. */
export async function testReply(db: Db, text: string, providerId: number | null): Promise<TestedReply> {
  const quoted = parseQuotedReply(text)
  const verdict = classifyReply(quoted)
  const kind = verdict.outcome === 'unknown' ? 'deferred' : verdict.outcome
  const reply = { ...quoted, class: verdict.class, hard: verdict.hard }
  const rows = await readRules(db)
  const found = findRule(compileRules(rows).rules, providerId ?? 0, { kind, reply })
  const none: TestedReply = {
    kind,
    class: verdict.class,
    hard: verdict.hard,
    rule_id: null,
    rule: null,
    action: 'none',
  }
  if (!found) return none
  const outcome = applyRule({ kind, reply }, found.rule, 1)
  if (!('reply' in outcome) || outcome.kind === 'unknown') return none
  const name = rows.find(row => row.id === found.rule.id)?.name ?? ''
  return {
    kind: outcome.kind,
    class: outcome.reply.class,
    hard: outcome.reply.hard,
    rule_id: found.rule.id,
    rule: name,
    action: found.rule.action,
  }
}
