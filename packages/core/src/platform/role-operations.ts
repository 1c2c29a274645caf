import { role } from '@emma/contract/resources/role.ts'
import { transaction } from '@emma/db/connection.ts'
import { renewSockets } from '../account/sessions.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const standard = resourceOperations(role, { table: 'role' })

/** Roles. Rights are read with every call, so a changed role has its effect at once; open sockets begin anew. */
export const roleOperations: Operations = {
  ...standard,
  patch(sql, actor, scope, id, input, options) {
    return transaction(sql, async tx => {
      const after = await standard.patch(tx, actor, scope, id, input, options)
      await renewSockets(tx, id)
      return after
    })
  },
  async remove(sql, actor, scope, id, options) {
    await transaction(sql, async tx => {
      await standard.remove(tx, actor, scope, id, options)
      await renewSockets(tx, id)
    })
  },
}
