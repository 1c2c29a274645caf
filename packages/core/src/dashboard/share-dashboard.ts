import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Widget, widget } from '@emma/contract/resources/dashboard.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { actorOf, findPerson } from '../account/person.ts'
import { type Actor, can, canAccessClient, type TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { dashboardOperations } from './dashboard-operations.ts'
import { fault } from '@emma/contract/faults.ts'

export interface Share {
  share_id: number
  created_at: string
  expires_at: string
  seen_at: string | null
}

/** Valid share links of a dashboard, newest first. Throws `not_found`. */
export async function listShares(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<Share[]> {
  const { client_id: clientId } = await dashboardOperations.find(db, actor, scope, id)
  const { rows } = await sql<Share>`
    select share_id, created_at, expires_at, seen_at from dashboard_share
    where client_id = ${clientId} and dashboard_id = ${id} and revoked_at is null and expires_at > now()
    order by share_id desc`.execute(db)
  return rows
}

/** Most valid links of one dashboard. */
const mostShares = 20

/**
 * Creates a share link that is valid for `days`. Its secret is returned once and stored as a hash.
 *
 * @throws EmmaError `not_found`; `conflict` when the dashboard has too many links
 */
export async function shareDashboard(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  days: number,
): Promise<Share & { secret: string }> {
  const open = await listShares(db, actor, scope, id)
  if (open.length >= mostShares)
    throw new EmmaError('conflict', fault('refusal.dashboard_links', { max: mostShares }))
  const { client_id: clientId } = await dashboardOperations.find(db, actor, scope, id)
  const secret = randomBytes(24).toString('base64url')
  const { rows } = await sql<Share>`
    insert into dashboard_share (client_id, dashboard_id, secret_hash, created_by, expires_at)
    values (${clientId}, ${id}, ${digest(secret)}, ${actor.userId}, now() + make_interval(days => ${days}))
    returning share_id, created_at, expires_at, seen_at`.execute(db)
  const [made] = rows
  if (!made) throw new Error('No share found!')
  await logChange(db, actor, { clientId: Number(clientId), object: 'dashboard', id, action: 'share' })
  return { ...made, secret }
}

/** Revokes a share link. Throws `not_found`. */
export async function revokeShare(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  shareId: number,
): Promise<void> {
  const { client_id: clientId } = await dashboardOperations.find(db, actor, scope, id)
  const { rows } = await sql`
    update dashboard_share set revoked_at = now()
    where client_id = ${clientId} and dashboard_id = ${id} and share_id = ${shareId} and revoked_at is null
    returning share_id`.execute(db)
  if (rows.length === 0) throw new EmmaError('not_found')
  await logChange(db, actor, { clientId: Number(clientId), object: 'dashboard', id, action: 'unshare' })
}

export interface SharedDashboard {
  clientId: number
  client: string
  name: string
  expires_at: string
  content: Widget[]
  /** Actor of the link's creator with current permissions: the link shows what the creator may see. */
  maker: Actor
}

/**
 * Reads the dashboard of a share link.
 * @throws EmmaError `not_found`, without a hint which applies, when the secret is wrong, revoked or expired, or when
 * its creator has lost access to the dashboard
 */
export async function openShare(db: Db, id: number, secret: string): Promise<SharedDashboard> {
  const { rows } = await sql<{
    client_id: number
    share_id: number
    secret_hash: Buffer
    expires_at: string
    name: string
    client: string
    content: unknown
    created_by: number
  }>`
    select s.client_id, s.created_by, s.share_id, s.secret_hash, s.expires_at, d.name, d.content, c.name as client
    from dashboard_share s join dashboard d using (client_id, dashboard_id) join client c using (client_id)
      join app_user u on u.id = s.created_by and u.active and u.deleted_at is null
    where (d.is_public or d.created_by = s.created_by) and s.dashboard_id = ${id} and s.revoked_at is null and s.expires_at > now() and d.deleted_at is null
      and c.deleted_at is null`.execute(db)
  const given = digest(secret)
  // Compares every hash in constant time.
  const [share] = rows.filter(row => timingSafeEqual(row.secret_hash, given))
  if (!share) throw new EmmaError('not_found')
  const maker = actorOf(await findPerson(db, share.created_by))
  if (!canAccessClient(maker, share.client_id) || !can(maker, 'Dashboard:get'))
    throw new EmmaError('not_found')
  await sql`
    update dashboard_share set seen_at = now()
    where client_id = ${share.client_id} and share_id = ${share.share_id}`.execute(db)
  const { client_id: clientId, client, name, expires_at } = share
  return {
    clientId,
    client,
    name,
    expires_at,
    maker,
    content: z.array(widget).catch([]).parse(share.content),
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
