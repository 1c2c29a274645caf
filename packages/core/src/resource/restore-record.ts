import type { Resource } from '@emma/contract/define-resource.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from './actor.ts'
import type { Operations } from './operations.ts'

/**
 * Takes a removal back. Who may remove the record may bring it back: what the resource asks of a removal is asked of the
 * record that is back, before anybody else sees it.
 *
 * @throws EmmaError `not_found` when it was not deleted lately, `unique_violation` when its name was taken meanwhile,
 *   `invalid` when what it points at was deleted after it
 */
export function restoreRecord<Record>(
  db: Db,
  operations: Operations<Resource, Record>,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<Record> {
  return transaction(db, async tx => {
    await operations.restore(tx, actor, scope, id)
    await operations.removal(tx, actor, scope, id)
    return operations.find(tx, actor, scope, id)
  })
}
