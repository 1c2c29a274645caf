import type { Db } from '@emma/db/connection.ts'
import type { ReplyRuleRow } from './match-reply.ts'

/** The rules that are in force, in the order in which they are asked. */
export function readRules(db: Db): Promise<(ReplyRuleRow & { name: string })[]> {
  return db
    .selectFrom('scd_rule')
    .select(['id', 'name', 'provider_id', 'phase', 'code_pattern', 'enhanced_pattern', 'text_pattern'])
    .select(['reply_class', 'set_class', 'set_hard', 'action', 'minutes', 'threshold', 'window_minutes'])
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('priority')
    .orderBy('id')
    .$narrowType<{ set_class: ReplyRuleRow['set_class'] }>()
    .execute()
}
