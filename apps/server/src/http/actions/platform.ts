import { listAuditLog as auditLog } from '@emma/contract/actions/audit-log.ts'
import * as platform from '@emma/contract/actions/platform.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { inviteUser } from '@emma/core/account/password-reset.ts'
import { dropSecondFactor } from '@emma/core/account/second-factor.ts'
import {
  assertMayReadLog,
  type AuditQuery,
  listAuditLog,
  type SeenRecord,
} from '@emma/core/platform/audit-log.ts'
import { listPermissions } from '@emma/core/platform/list-permissions.ts'
import { roleOperations } from '@emma/core/platform/role-operations.ts'
import { unstuckUser } from '@emma/core/platform/unstuck-user.ts'
import { addUserClient, readUserClient, removeUserClient } from '@emma/core/platform/user-clients.ts'
import { assertMayManage } from '@emma/core/platform/user-operations.ts'
import { type Actor, accessibleClients } from '@emma/core/resource/actor.ts'
import { installation, logChange } from '@emma/core/resource/log-change.ts'
import { sendPasswordLink } from '../../mail/send-password-link.ts'
import { isSystemMailOn } from '../../mail/send-system-mail.ts'
import type { Http } from '../http.ts'
import { done, mountAction } from '../mount-action.ts'
import { assertAllowed, type OperationsTable } from '../mount-resource.ts'
import { fault } from '@emma/contract/faults.ts'

/** Mounts actions on users and roles besides their records (R226, R227, R229, R230), and the audit log. */
export function mountPeopleActions(http: Http, table: OperationsTable): void {
  mountAction(http, platform.unstuckUser, async ({ db, actor, params }) => ({
    ...done,
    ...(await unstuckUser(db, actor, params.id)),
  }))

  mountAction(http, platform.inviteUser, async ({ db, actor, params }) => {
    await assertMayManage(db, actor, params.id)
    if (!(await isSystemMailOn(db))) throw new EmmaError('mail_off')
    const link = await inviteUser(db, params.id)
    await sendPasswordLink(http, link).catch((error: unknown) => {
      http.logger.error({ err: error }, 'an invitation could not be sent')
      throw new EmmaError('wrong_state', fault('refusal.mail_unsent'))
    })
    const entry = { clientId: installation, object: 'user', id: params.id, action: 'invite' }
    await logChange(db, actor, { ...entry, changes: { email: [null, link.email] } })
    return done
  })

  mountAction(http, platform.removeSecondFactorOf, async ({ db, actor, params }) => {
    // The own second factor is removed with password and code (`/user/{id}/second-factor`).
    if (params.id === actor.userId) throw new EmmaError('forbidden')
    await assertMayManage(db, actor, params.id)
    await dropSecondFactor(db, actor, params.id)
    return done
  })

  mountAction(http, platform.readUserClient, ({ db, actor, params }) =>
    readUserClient(db, actor, params.id, params.client_id),
  )
  mountAction(http, platform.addUserClient, ({ db, actor, params }) =>
    addUserClient(db, actor, params.id, params.client_id),
  )
  mountAction(http, platform.removeUserClient, async ({ db, actor, params }) => {
    await removeUserClient(db, actor, params.id, params.client_id)
    return done
  })

  mountAction(http, platform.readRolePermissions, async ({ db, actor, params }) => {
    const role = await roleOperations.find(db, actor, accessibleClients(actor), params.id)
    return { permissions: role.permissions }
  })
  mountAction(http, platform.saveRolePermissions, async ({ db, actor, params, body }) => {
    const input = { permissions: body.permissions }
    const role = await roleOperations.patch(db, actor, accessibleClients(actor), params.id, input, {
      revision: null,
    })
    return { permissions: role.permissions }
  })

  mountAction(http, platform.listPermissions, async ({ db, actor, query }) => {
    const { entity, 'entity[]': entities = entity, limit, offset, ...rest } = query
    const { data, total } = await listPermissions(db, actor, { ...rest, limit, offset, entities })
    return { data, included: [], pagination: { limit, offset, total } }
  })

  mountAction(http, auditLog, async ({ db, actor, query }) => {
    const seen = await assertMaySee(http, table, actor, query)
    const page = await listAuditLog(db, actor, query, seen)
    const { limit, offset } = query
    return { data: page.data, included: [], pagination: { limit, offset, total: page.total } }
  })
}

/**
 * The history of a record needs read access to the record; everything else needs the permission for the log. Returns
 * the record if it belongs to the installation and not to a client.
 */
async function assertMaySee(
  http: Http,
  table: OperationsTable,
  actor: Actor,
  query: AuditQuery,
): Promise<SeenRecord | null> {
  const resource = resources.find(({ name }) => name === query.object)
  const known = resource && table.get(resource.name)
  if (!known || query.object_id === undefined) {
    assertMayReadLog(actor)
    return null
  }
  assertAllowed(known.resource, actor, 'get')
  if (actor.superadmin) return null
  await known.operations.find(http.db, actor, accessibleClients(actor), query.object_id)
  return resource.tenant ? null : { object: resource.name, id: query.object_id }
}
