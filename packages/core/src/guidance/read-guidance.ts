import type { PlayableTour, ShownMotd } from '@emma/contract/actions/guidance.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { listSeen } from './user-seen.ts'

/** A message of the day with its Markdown source. */
export type WrittenMotd = Omit<ShownMotd, 'html_en' | 'html_de' | 'html_es'> & {
  body_en: string
  body_de: string
  body_es: string
}

const columns = sql`m.id, m.title_en, m.title_de, m.title_es, m.body_en, m.body_de, m.body_es, m.type, m.modal_size`
const isOn = sql`m.deleted_at is null and m.startdate <= now() and (m.enddate is null or m.enddate > now())`

/**
 * Messages of the day to show to a user now: for their client and role, and not dismissed; newest first, 20 at most.
 *
 * @param viewRole role that the user views as, instead of their own (R148)
 */
export async function listMotdsOf(db: Db, actor: Actor, viewRole: number | null): Promise<WrittenMotd[]> {
  const { rows } = await sql<WrittenMotd>`
    select ${columns} from motd m
    where ${isOn} and ${isMeant(actor, viewRole)} and not exists (
      select from user_seen s where s.user_id = ${actor.userId} and s.subject = 'motd' and s.key = m.id::text)
    order by m.startdate desc, m.id desc limit 20`.execute(db)
  return rows
}

/** When the next message for this user begins or ends; null when none does. */
export async function nextMotdChange(db: Db, actor: Actor, viewRole: number | null): Promise<string | null> {
  const { rows } = await sql<{ changes_at: string | null }>`
    select min(at) as changes_at from motd m, unnest(array[m.startdate, m.enddate]) as at
    where m.deleted_at is null and at > now() and ${isMeant(actor, viewRole)}`.execute(db)
  return rows[0]?.changes_at ?? null
}

/** Messages on the login page, newest first, 5 at most. */
export async function listLoginMotds(db: Db): Promise<WrittenMotd[]> {
  const { rows } = await sql<WrittenMotd>`
    select ${columns} from motd m
    where ${isOn} and m.show_at_login and m.clients = '{}' and m.roles = '{}'
    order by m.startdate desc, m.id desc limit 5`.execute(db)
  return rows
}

/**
 * Guided tours available to a user. Tours do not start automatically while viewing as a role, nor for superadmins,
 * except for the first account, which installed EMMA and has not seen it yet.
 */
export async function listToursOf(db: Db, actor: Actor, viewRole: number | null): Promise<PlayableTour[]> {
  const isUnasked = viewRole !== null || (actor.superadmin && !(await isFirstAccount(db, actor)))
  const seen = actor.userId === null ? new Set() : await listSeen(db, actor.userId, 'guided_tour')
  const { rows } = await sql<Omit<PlayableTour, 'seen'>>`
    select t.id, t.name, t.name_de, t.name_es, t.path, t.steps, t.autoplay from guided_tour t
    where t.deleted_at is null and t.active and t.steps <> '[]'
      and (t.roles = '{}' or t.roles && ${rolesOf(actor, viewRole)} or ${actor.superadmin}::boolean)
    order by t.id limit 100`.execute(db)
  return rows.map(tour => ({
    ...tour,
    autoplay: tour.autoplay && !isUnasked,
    seen: seen.has(String(tour.id)),
  }))
}

async function isFirstAccount(db: Db, { userId }: Actor): Promise<boolean> {
  const { rows } = await sql<{ id: number | null }>`select min(id) as id from app_user`.execute(db)
  return rows[0]?.id === userId
}

/**
 * Condition: the message is for the user's active client and one of their roles. Superadmins see messages for any role.
 */
function isMeant(actor: Actor, viewRole: number | null) {
  return sql`(m.clients = '{}' or ${actor.clientId}::bigint = any(m.clients))
    and (m.roles = '{}' or m.roles && ${rolesOf(actor, viewRole)} or ${actor.superadmin}::boolean)`
}

function rolesOf({ userId }: Actor, viewRole: number | null) {
  if (viewRole !== null) return sql`array[${viewRole}::bigint]`
  return sql`array(select role_id from user_role where user_id = ${userId})`
}
