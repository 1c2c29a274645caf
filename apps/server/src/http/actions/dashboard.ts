import * as dashboards from '@emma/contract/actions/dashboard.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type ViewType, widget } from '@emma/contract/resources/dashboard.ts'
import { dashboardOperations } from '@emma/core/dashboard/dashboard-operations.ts'
import { readView } from '@emma/core/dashboard/read-view.ts'
import { listShares, openShare, revokeShare, shareDashboard } from '@emma/core/dashboard/share-dashboard.ts'
import { type Actor, can, ownClient, accessibleClients } from '@emma/core/resource/actor.ts'
import { z } from 'zod'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { keepPrivate } from '../mount-shares.ts'

/** Mounts figures for widgets (R232), and dashboards shared by a secret link (T29). */
export function mountDashboardActions(http: Http): void {
  mountAction(http, dashboards.viewDashboard, async ({ db, actor, params, query }) => {
    assertMaySee(actor, params.type)
    const { client_id, ...options } = query
    return { ...(await readView(db, ownClient(actor, client_id), params.type, options)) }
  })

  mountAction(http, dashboards.listShares, async ({ db, actor, params }) => ({
    data: await listShares(db, actor, accessibleClients(actor), params.id),
  }))

  mountAction(http, dashboards.shareDashboard, async ({ db, actor, params, body }) => {
    // Users can only share what they may see.
    const { content } = await dashboardOperations.find(db, actor, accessibleClients(actor), params.id)
    for (const { type } of z.array(widget).parse(content)) if (type !== 'note') assertMaySee(actor, type)
    return shareDashboard(db, actor, accessibleClients(actor), params.id, body.days)
  })

  mountAction(http, dashboards.revokeShare, async ({ db, actor, params }) => {
    await revokeShare(db, actor, accessibleClients(actor), params.id, params.share_id)
    return { data: await listShares(db, actor, accessibleClients(actor), params.id) }
  })

  mountAction(http, dashboards.viewSharedDashboard, async ({ db, params, query, reply }) => {
    keepPrivate(reply)
    const share = await openShare(db, params.id, query.secret)
    const { clientId, client, name, expires_at, content, maker } = share
    // The link is for this client: it excludes widgets of other clients, messages of the day, and what its owner may
    // not see any more.
    const shown = content.filter(
      ({ type, options }) =>
        type !== 'motd' &&
        (options?.client_id ?? clientId) === clientId &&
        (type === 'note' || maySee(maker, type)),
    )
    const widgets = await Promise.all(
      shown.map(async widget => ({
        ...widget,
        data:
          widget.type === 'note'
            ? null
            : await readView(db, clientId, widget.type, viewOptions(widget.options)),
      })),
    )
    return { name, client, expires_at, widgets }
  })
}

function assertMaySee(actor: Actor, type: ViewType): void {
  if (!maySee(actor, type)) throw new EmmaError('forbidden')
}

function maySee(actor: Actor, type: ViewType): boolean {
  const right = dashboards.viewRights[type]
  return right === null || can(actor, right)
}

function viewOptions({
  client_id: _,
  text: _text,
  ...options
}: NonNullable<Parameters<typeof readView>[3]> = {}) {
  return options
}
