import type { Db } from '@emma/db/connection.ts'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import type { Module } from '@emma/mail/template/modules.ts'
import { sql } from 'kysely'

/** A client's placeholders as modules of its templates. Feeds show the first items of their last good copy. */
export async function findModules(db: Db, clientId: number): Promise<Module[]> {
  const { rows } = await sql<Module & { isMandatory: boolean; max: number; copy: FeedItem[] | null }>`
    select p.token as name, p.type, p.body, p.is_mandatory as "isMandatory", p.feed_max as max, f.items as copy
    from placeholder p
    left join placeholder_feed f
      on f.client_id = p.client_id and f.module_id = p.module_id and f.url = p.feed_url and p.type = 'feed'
    where p.client_id = ${clientId} and p.deleted_at is null
    order by p.module_id`.execute(db)
  return rows.map(({ max, copy, ...module }) => ({ ...module, ...(copy && { items: copy.slice(0, max) }) }))
}
