import type { Patch } from '@emma/contract/resource-schemas.ts'
import { type webhook, webhookEventGroups } from '@emma/contract/resources/webhook.ts'
import { transaction } from '@emma/db/connection.ts'
import type { Actor } from '../resource/actor.ts'
import { assertMayReadMembers } from '../resource/member-rights.ts'
import type { Operations } from '../resource/operations.ts'

const aboutMembers: ReadonlySet<unknown> = new Set([...webhookEventGroups.mail, ...webhookEventGroups.member])

/**
 * Operations of webhooks for users. Events of mails and members contain addresses: creating such a webhook, or changing
 * its URL, events or active flag, requires the permission to read members.
 */
export function guardMemberEvents(operations: Operations<typeof webhook>): Operations<typeof webhook> {
  return {
    ...operations,
    create(db, actor, clientId, input) {
      assertMayTell(actor, input)
      return operations.create(db, actor, clientId, input)
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await operations.find(tx, actor, scope, id)
        const after = await operations.patch(tx, actor, scope, id, input, options)
        if (leading.some(field => JSON.stringify(before[field]) !== JSON.stringify(after[field])))
          assertMayTell(actor, after)
        return after
      })
    },
  }
}

const leading = ['url', 'events', 'active'] as const

function assertMayTell(actor: Actor, { events = [], active }: Patch<typeof webhook>): void {
  if (active !== false && events.some(event => aboutMembers.has(event))) assertMayReadMembers(actor)
}
