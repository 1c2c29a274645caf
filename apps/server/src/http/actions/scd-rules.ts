import * as contract from '@emma/contract/actions/scd-rules.ts'
import { listScdActions, undoScdAction } from '@emma/core/deliverability/scd-actions.ts'
import { testReply } from '@emma/delivery/5-record/try-reply-rule.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts the effects of reply rules, undoing them, and testing rules on a reply. */
export function mountScdRuleActions(http: Http): void {
  mountAction(http, contract.listScdActions, async ({ db, query }) => {
    const { data, included, total } = await listScdActions(db, query)
    return presentPage({ data: data.map(row => ({ ...row })), included, total }, query.limit, query.offset)
  })

  mountAction(http, contract.undoScdAction, async ({ db, actor, params }) => ({
    undone: await undoScdAction(db, actor, params.id),
  }))

  mountAction(http, contract.testScdRules, ({ db, body }) => testReply(db, body.reply, body.provider_id))
}
