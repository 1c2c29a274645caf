import * as notifications from '@emma/contract/actions/notifications.ts'
import { createNotification } from '@emma/core/notifications/create-notification.ts'
import * as stored from '@emma/core/notifications/read-notifications.ts'
import { type Actor, ownClient, accessibleClients, type TenantScope } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** The notification service: JSON in text (R290, T22). */
export function mountNotificationActions(http: Http): void {
  mountAction(http, notifications.listNotifications, async ({ sql, actor, query }) => {
    const { client_id, ...page } = query
    return asText(await stored.listNotifications(sql, actor, listScope(actor, client_id), page))
  })

  mountAction(http, notifications.countNotifications, async ({ sql, actor, query }) => {
    const { client_id, ...filter } = query
    return asText(await stored.countNotifications(sql, actor, listScope(actor, client_id), filter))
  })

  mountAction(http, notifications.createNotification, async ({ sql, actor, body, reply }) => {
    void reply.status(201)
    return asText(await createNotification(sql, actor, body))
  })

  mountAction(http, notifications.findNotification, async ({ sql, actor, params }) =>
    asText(await stored.findNotification(sql, actor, accessibleClients(actor), params.id)),
  )

  mountAction(http, notifications.removeNotification, async ({ sql, actor, params }) => {
    const removed = await stored.findNotification(sql, actor, accessibleClients(actor), params.id)
    await stored.markNotifications(sql, actor, accessibleClients(actor), 'dismissed', [params.id])
    return asText(removed)
  })

  const marks = [
    [notifications.readNotifications, 'read'],
    [notifications.clearNotifications, 'dismissed'],
  ] as const
  for (const [action, mark] of marks)
    mountAction(http, action, async ({ sql, actor, body }) => {
      const scope = listScope(actor, body?.client_id)
      return asText(await stored.markNotifications(sql, actor, scope, mark, body?.ids))
    })
}

function listScope(actor: Actor, clientId: number | null | undefined): TenantScope {
  return { clientIds: [ownClient(actor, clientId)] }
}

function asText(value: unknown): string {
  return JSON.stringify(value)
}
