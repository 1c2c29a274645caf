import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { campaignComment } from '@emma/contract/resources/campaign-comment.ts'
import type { DemoRoute } from './demo-call.ts'
import { recordRoutes } from './record-routes.ts'

/** Comments on campaigns, by the rules of the server. */
export const commentRoutes: readonly DemoRoute[] = recordRoutes({
  resource: campaignComment,
  entity: 'campaign_comment',
  blank: { is_resolved: false, resolved_at: null, resolved_by: null, author: '' },
  async settle(row, before, { person, now }) {
    if (before && before['text'] !== row['text'] && before['created_by'] !== person.id)
      throw new EmmaError('forbidden', fault('refusal.comment_author'))
    const isResolved = row['is_resolved'] === true
    return {
      ...row,
      author: before ? before['author'] : `${person.firstname} ${person.lastname}`,
      resolved_at: isResolved ? (row['resolved_at'] ?? now().toISOString()) : null,
      resolved_by: isResolved ? (row['resolved_by'] ?? person.id) : null,
    }
  },
})
