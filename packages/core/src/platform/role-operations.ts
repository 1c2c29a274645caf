import type { Row } from '@emma/contract/resource-schemas.ts'
import { role } from '@emma/contract/resources/role.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { transaction } from '@emma/db/connection.ts'
import { renewSockets } from '../account/sessions.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const standard = resourceOperations(role, {
  table: 'role',
  special: {
    within: values => sql`r.permissions <@ ${values}::text[]`,
    is_administrator: values => sql`r.is_administrator = any(${values}::boolean[])`,
  },
})

/**
 * CRUD operations of roles. Users other than superadmins see only roles that they can assign: those without permissions
 * beyond their own. Permissions are read with every request, so changes apply at once; open sockets reconnect.
 */
export const roleOperations: Operations<typeof role> = {
  ...standard,
  list(db, actor, scope, query) {
    if (actor.superadmin) return standard.list(db, actor, scope, query)
    const assignable = {
      within: [...actor.permissions],
      ...(actor.administrator ? {} : { is_administrator: [false] }),
    }
    return standard.list(db, actor, scope, { ...query, filters: { ...query.filters, ...assignable } })
  },
  async find(db, actor, scope, id) {
    const record = await standard.find(db, actor, scope, id)
    if (!isAssignable(actor, record)) throw new EmmaError('not_found')
    return record
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const after = await standard.patch(tx, actor, scope, id, input, options)
      await renewSockets(tx, id)
      return after
    })
  },
  async remove(db, actor, scope, id, options) {
    await transaction(db, async tx => {
      await standard.remove(tx, actor, scope, id, options)
      await renewSockets(tx, id)
    })
  },
  async restore(db, actor, scope, id) {
    await transaction(db, async tx => {
      await standard.restore(tx, actor, scope, id)
      await renewSockets(tx, id)
    })
  },
}

function isAssignable(actor: Actor, { permissions, is_administrator }: Row<typeof role>): boolean {
  if (actor.superadmin) return true
  const isWithin = permissions.every(right => actor.permissions.has(right))
  return isWithin && (!is_administrator || actor.administrator)
}
