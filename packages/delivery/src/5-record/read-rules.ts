import type { Db } from '@emma/db/connection.ts'
import type { ReplyRuleRow } from './match-reply.ts'

/** Reads the active rules, in order of priority. */
export function readRules(db: Db): Promise<(ReplyRuleRow & { name: string })[]> {
  return db
    .selectFrom('scd_rule')
    .select(['id', 'name', 'provider_id', 'phase', 'code_pattern', 'enhanced_pattern', 'text_pattern'])
    .select(['reply_class', 'set_class', 'set_hard', 'action', 'minutes', 'threshold', 'window_minutes'])
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('priority')
    .orderBy('id')
    .$narrowType<Pick<ReplyRuleRow, 'set_class' | 'action'>>()
    .execute()
}
