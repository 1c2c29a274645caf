import { membertable } from '@emma/contract/resources/membertable.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { fault } from '@emma/contract/faults.ts'
import { EmmaError, fieldError } from '@emma/contract/errors.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { client } from '@emma/contract/resources/client.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { requestPictures } from '../content/request-pictures.ts'
import type { Actor } from '../resource/actor.ts'
import type { Operations, WriteOptions } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const standard = resourceOperations(client, {
  table: 'client',
  json: ['brand_socials'],
  isCached: true,
  references: [
    { resource: campaign, column: 'client_id' },
    { resource: membertable, table: 'member_table', column: 'client_id' },
  ],
  special: { mine: values => sql`r.client_id = any(${values}::bigint[])` },
})

/** CRUD operations of clients. Users see their own; only superadmins create and delete them (contract). */
export const clientOperations: Operations<typeof client> = {
  ...standard,
  list(db, actor, scope, query) {
    if (actor.clientIds === 'all') return standard.list(db, actor, scope, query)
    return standard.list(db, actor, scope, {
      ...query,
      filters: { ...query.filters, mine: [...actor.clientIds] },
    })
  },
  async find(db, actor, scope, id) {
    assertOwn(actor, id)
    return standard.find(db, actor, scope, id)
  },
  async patch(db, actor, scope, id, input, options) {
    assertOwn(actor, id)
    return transaction(db, async tx => {
      await assertMaySetApproval(tx, actor, id, input, options)
      const record = await standard.patch(tx, actor, scope, id, input, options)
      await requestPictures(tx, id)
      return record
    })
  },
}

/** Who may start campaigns could otherwise switch off that a second person approves them. */
async function assertMaySetApproval(
  tx: Db,
  actor: Actor,
  id: number,
  { campaign_approval: asked }: Patch<typeof client>,
  { whole = false }: WriteOptions,
): Promise<void> {
  if (actor.administrator || actor.superadmin || (asked === undefined && !whole)) return
  const found = await tx
    .selectFrom('client')
    .select('campaign_approval')
    .where('client_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found && found.campaign_approval !== (asked ?? false))
    throw new EmmaError('forbidden', fault('refusal.approval_setting'), [
      fieldError('campaign_approval', 'refusal.approval_setting'),
    ])
}

function assertOwn(actor: Actor, id: number): void {
  if (actor.clientIds !== 'all' && !actor.clientIds.includes(id)) throw new EmmaError('not_found')
}
