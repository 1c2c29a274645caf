import { EmmaError } from '@emma/contract/errors.ts'
import { type Widget, widget } from '@emma/contract/resources/dashboard.ts'
import type { ShareLink } from '@emma/contract/share-links.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { type NewShareLink, type OpenedLink, type SharedRecord, shareLinks } from '../platform/share-links.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { dashboardOperations } from './dashboard-operations.ts'

const links = shareLinks({
  table: 'dashboard_share',
  key: 'dashboard_id',
  object: 'dashboard',
  permission: 'Dashboard:get',
})

/** Valid share links of a dashboard, newest first. Throws `not_found`. */
export async function listShares(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<ShareLink[]> {
  return links.list(db, await keyOf(db, actor, scope, id))
}

/** Creates a share link that is valid for `days`. Throws `not_found`, `conflict`. */
export async function shareDashboard(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  days: number,
): Promise<NewShareLink> {
  return links.add(db, actor, await keyOf(db, actor, scope, id), { days })
}

/** Revokes a share link. Throws `not_found`. */
export async function revokeShare(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  shareId: number,
): Promise<void> {
  await links.revoke(db, actor, await keyOf(db, actor, scope, id), shareId)
}

async function keyOf(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<SharedRecord> {
  const { client_id: clientId } = await dashboardOperations.find(db, actor, scope, id)
  return { clientId: Number(clientId), id }
}

export interface SharedDashboard extends OpenedLink {
  client: string
  name: string
  content: Widget[]
}

/** Reads the dashboard of a share link. Throws `not_found` as shareLinks do, and when it is private to somebody else. */
export async function openShare(db: Db, id: number, secret: string): Promise<SharedDashboard> {
  const link = await links.open(db, id, secret)
  const { rows } = await sql<{ name: string; client: string; content: unknown }>`
    select d.name, d.content, c.name as client
    from dashboard as d join client as c on c.client_id = d.client_id
    where d.client_id = ${link.clientId} and d.dashboard_id = ${id} and d.deleted_at is null
      and (d.is_public or d.created_by = ${link.maker.userId})`.execute(db)
  const [found] = rows
  if (!found) throw new EmmaError('not_found')
  return { ...link, ...found, content: z.array(widget).catch([]).parse(found.content) }
}
