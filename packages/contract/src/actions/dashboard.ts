import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import type { Permission } from '../permissions.ts'
import { type ViewType, viewTypes, widget, widgetDays } from '../resources/dashboard.ts'
import { linkDays, linkSecret, newShareLink, shareLinks } from '../share-links.ts'

const pathId = z.coerce.number().int().positive()

const numbers = z.coerce.number().int().positive().optional()

/** Permission that each view requires besides Dashboard:get: that of the source of its figures. */
export const viewRights: Record<ViewType, Permission | null> = {
  overview: null,
  campaigns: 'EmmaReport:get',
  funnel: 'EmmaReport:get',
  volume: 'EmmaReport:get',
  rates: 'EmmaReport:get',
  bounces: 'EmmaReport:get',
  complaints: 'EmmaReport:get',
  links: 'EmmaReport:get',
  providers: 'EmmaReport:get',
  queue: 'EmmaCampaign:get',
  domains: 'EmmaDomain:get',
  subscribers: 'EmmaMemberTable:get',
  doi: 'EmmaMemberTable:get',
  imports: 'DataUpload:get',
  ipci: 'IPCI:get',
  quota: 'DataUpload:get',
  // Visible to all users of the client anyway.
  motd: null,
}

/** `/view/dashboard/{type}/` (R232): figures of one widget. */
export const viewDashboard = defineAction({
  name: 'viewDashboard',
  slow: true,
  area: 'dashboard',
  paths: ['/view/dashboard/{type}/'],
  permission: 'Dashboard:get',
  params: z.object({ type: z.enum(viewTypes) }),
  query: z.object({
    days: z.coerce
      .number()
      .pipe(z.union(widgetDays.map(days => z.literal(days))))
      .optional(),
    client_id: numbers,
    member_table_id: numbers,
    list_id: numbers,
    campagne_id: numbers,
    reportinggroup_id: numbers,
  }),
  response: z.looseObject({}),
})

const ofDashboard = z.object({ id: pathId })

/** Links to a dashboard without login. Each secret is returned once, when the link is created. */
export const listShares = defineAction({
  name: 'listShares',
  area: 'dashboard',
  paths: ['/dashboard/{id}/share'],
  permission: 'Dashboard:get',
  params: ofDashboard,
  response: shareLinks,
})

export const shareDashboard = defineAction({
  ...listShares,
  name: 'shareDashboard',
  method: 'POST',
  permission: 'Dashboard:patch',
  body: z.strictObject({ days: linkDays }),
  response: newShareLink,
  status: 201,
})

export const revokeShare = defineAction({
  ...listShares,
  name: 'revokeShare',
  method: 'DELETE',
  paths: ['/dashboard/{id}/share/{share_id}'],
  permission: 'Dashboard:patch',
  params: z.object({ id: pathId, share_id: pathId }),
  response: shareLinks,
})

/** A shared dashboard with all its figures, for anybody with the link (T29). */
export const viewSharedDashboard = defineAction({
  name: 'viewSharedDashboard',
  slow: true,
  area: 'dashboard',
  paths: ['/dashboard/{id}/shared'],
  permission: 'public',
  perMinute: 60,
  params: ofDashboard,
  query: linkSecret,
  response: z.object({
    name: z.string(),
    client: z.string(),
    expires_at: z.string(),
    widgets: z.array(widget.extend({ data: z.unknown() })),
  }),
})
