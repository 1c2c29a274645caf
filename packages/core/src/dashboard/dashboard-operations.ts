import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { dashboard } from '@emma/contract/resources/dashboard.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const all = resourceOperations(dashboard, {
  table: 'dashboard',
  json: ['content'],
  special: {
    visibility: values => sql`r.is_public = ${values[0] === 'public'}`,
    seenBy: values => sql`(r.is_public or r.created_by = ${values[0]}::bigint)`,
  },
})

/**
 * CRUD operations of dashboards. A public one belongs to the client: all users with the permission see and change it. A
 * private one is visible to its creator only, whatever permissions others have.
 */
export const dashboardOperations: Operations<typeof dashboard> = {
  ...all,
  list: (db, actor, scope, query) =>
    all.list(db, actor, scope, { ...query, filters: { ...query.filters, seenBy: [actor.userId] } }),
  find: findDashboard,
  async patch(db, actor, scope, id, input, options) {
    const found = await findDashboard(db, actor, scope, id)
    const isToBePrivate = input.is_public === false || (options.whole === true && input.is_public !== true)
    if (isToBePrivate && found.created_by !== actor.userId)
      throw invalid([fieldError('is_public', 'field.dashboard_owner')])
    return all.patch(db, actor, scope, id, input, options)
  },
  async remove(db, actor, scope, id, options) {
    await findDashboard(db, actor, scope, id)
    return all.remove(db, actor, scope, id, options)
  },
  async removal(db, actor, scope, id) {
    await findDashboard(db, actor, scope, id)
    return all.removal(db, actor, scope, id)
  },
}

async function findDashboard(db: Db, actor: Actor, scope: TenantScope, id: number) {
  const found = await all.find(db, actor, scope, id)
  if (found.is_public || found.created_by === actor.userId) return found
  throw new EmmaError('not_found')
}
