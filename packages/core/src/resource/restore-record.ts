import type { Resource } from '@emma/contract/define-resource.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from './actor.ts'
import type { Operations } from './operations.ts'

/**
 * Restores a deleted record. The permission to delete includes restoring: the checks of a deletion run on the restored
 * record before the transaction commits.
 *
 * @throws EmmaError `not_found` when it was not deleted recently, `unique_violation` when its name is in use again,
 * `invalid` when a record it refers to was deleted after it
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
