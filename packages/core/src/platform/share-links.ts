import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Permission } from '@emma/contract/permissions.ts'
import type { ShareLink } from '@emma/contract/share-links.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { actorOf, findPerson } from '../account/person.ts'
import { type Actor, can, canAccessClient } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'

/** A new link. Its secret is returned once and stored as a hash. */
export type NewShareLink = ShareLink & { secret: string }

export interface SharedRecord {
  clientId: number
  id: number
}

/** An opened link: what it shows is what its creator may see. */
export interface OpenedLink<Options = object> extends SharedRecord {
  expires_at: string
  maker: Actor
  options: Options
}

/** Most valid links of one record. */
const mostLinks = 20

interface LinkKind {
  table: 'dashboard_share' | 'mta_share' | 'report_share' | 'reporting_group_share' | 'test_share'
  /** Column with the key of the record. */
  key: 'dashboard_id' | 'campagne_id' | 'reportinggroup_id'
  /** Name of the record's type in the audit log. */
  object: string
  /** Permission that the creator must have when a link is opened. */
  permission: Permission
}

/**
 * Share links of one type of records. The caller checks access to the record.
 *
 * @typeParam Options what a link shows of the record
 */
export function shareLinks<Options extends object = object>({ table, key, object, permission }: LinkKind) {
  const links = sql.table(table)
  const record = sql.ref(key)

  /** Valid links of a record, newest first. */
  async function list(db: Db, { clientId, id }: SharedRecord): Promise<ShareLink[]> {
    const { rows } = await sql<ShareLink>`
      select share_id, created_at, expires_at, seen_at from ${links}
      where client_id = ${clientId} and ${record} = ${id} and revoked_at is null and expires_at > now()
      order by share_id desc`.execute(db)
    return rows
  }

  return {
    list,

    /**
     * Creates a link that is valid for `days`.
     * @throws EmmaError `conflict` when the record has too many links
     */
    async add(
      db: Db,
      actor: Actor,
      { clientId, id }: SharedRecord,
      { days, ...options }: { days: number } & Options,
    ): Promise<NewShareLink> {
      if ((await list(db, { clientId, id })).length >= mostLinks)
        throw new EmmaError('conflict', fault('refusal.share_links', { max: mostLinks }))
      const secret = randomBytes(24).toString('base64url')
      const { rows } = await sql<ShareLink>`
        insert into ${links} (client_id, ${record}, secret_hash, created_by, expires_at, options)
        values (${clientId}, ${id}, ${digest(secret)}, ${actor.userId}, now() + make_interval(days => ${days}),
          ${JSON.stringify(options)}::jsonb)
        returning share_id, created_at, expires_at, seen_at`.execute(db)
      const [made] = rows
      if (!made) throw new Error('No share found!')
      await logChange(db, actor, { clientId, object, id, action: 'share' })
      return { ...made, secret }
    },

    /** Throws `not_found`. */
    async revoke(db: Db, actor: Actor, { clientId, id }: SharedRecord, shareId: number): Promise<void> {
      const { rows } = await sql`
        update ${links} set revoked_at = now()
        where client_id = ${clientId} and ${record} = ${id} and share_id = ${shareId} and revoked_at is null
        returning share_id`.execute(db)
      if (rows.length === 0) throw new EmmaError('not_found')
      await logChange(db, actor, { clientId, object, id, action: 'unshare' })
    },

    /**
     * Opens the link of a record by its secret.
     * @throws EmmaError `not_found`, without a hint why, when the secret is wrong, revoked or expired, or when
     * its creator has lost access
     */
    async open(db: Db, id: number, secret: string): Promise<OpenedLink<Options>> {
      const { rows } = await sql<{
        client_id: number
        share_id: number
        secret_hash: Buffer
        expires_at: string
        created_by: number
        options: Options
      }>`
        select s.client_id, s.created_by, s.share_id, s.secret_hash, s.expires_at, s.options
        from ${links} as s
        join client as c on c.client_id = s.client_id and c.deleted_at is null
        join app_user as u on u.id = s.created_by and u.active and u.deleted_at is null
        where s.${record} = ${id} and s.revoked_at is null and s.expires_at > now()`.execute(db)
      const given = digest(secret)
      // Compares every hash in constant time.
      const [share] = rows.filter(row => timingSafeEqual(row.secret_hash, given))
      if (!share) throw new EmmaError('not_found')
      const maker = actorOf(await findPerson(db, share.created_by))
      if (!canAccessClient(maker, share.client_id) || !can(maker, permission))
        throw new EmmaError('not_found')
      await sql`
        update ${links} set seen_at = now()
        where client_id = ${share.client_id} and share_id = ${share.share_id}`.execute(db)
      const { client_id: clientId, expires_at, options } = share
      return { clientId, id, expires_at, maker, options }
    },
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
