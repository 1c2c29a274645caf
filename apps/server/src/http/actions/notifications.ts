import * as notifications from '@emma/contract/actions/notifications.ts'
import { createNotification } from '@emma/core/notifications/create-notification.ts'
import * as stored from '@emma/core/notifications/read-notifications.ts'
import { type Actor, ownClient, accessibleClients, type TenantScope } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Mounts the notification service: JSON as text (R290, T22). */
export function mountNotificationActions(http: Http): void {
  mountAction(http, notifications.listNotifications, async ({ db, actor, query }) => {
    const { client_id, ...page } = query
    return asText(await stored.listNotifications(db, actor, listScope(actor, client_id), page))
  })

  mountAction(http, notifications.countNotifications, async ({ db, actor, query }) => {
    const { client_id, ...filter } = query
    return asText(await stored.countNotifications(db, actor, listScope(actor, client_id), filter))
  })

  mountAction(http, notifications.createNotification, async ({ db, actor, body }) =>
    asText(await createNotification(db, actor, body)),
  )

  mountAction(http, notifications.findNotification, async ({ db, actor, params }) =>
    asText(await stored.findNotification(db, actor, accessibleClients(actor), params.id)),
  )

  mountAction(http, notifications.removeNotification, async ({ db, actor, params }) => {
    const removed = await stored.findNotification(db, actor, accessibleClients(actor), params.id)
    await stored.markNotifications(db, actor, accessibleClients(actor), 'dismissed', [params.id])
    return asText(removed)
  })

  const marks = [
    [notifications.readNotifications, 'read'],
    [notifications.clearNotifications, 'dismissed'],
  ] as const
  for (const [action, mark] of marks)
    mountAction(http, action, async ({ db, actor, body }) => {
      const scope = listScope(actor, body?.client_id)
      return asText(await stored.markNotifications(db, actor, scope, mark, body?.ids))
    })
}

function listScope(actor: Actor, clientId: number | null | undefined): TenantScope {
  return { clientIds: [ownClient(actor, clientId)] }
}

function asText(value: unknown): string {
  return JSON.stringify(value)
}
