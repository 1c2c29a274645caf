import { maxDataFeeds } from '@emma/contract/resources/placeholder.ts'
import type { Db } from '@emma/db/connection.ts'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import type { JsonValue } from '@emma/mail/template/json-value.ts'
import { insertedModules, type Module } from '@emma/mail/template/modules.ts'
import { sql } from 'kysely'

/**
 * A client's placeholders as modules of its templates. Feeds show the first items of their last good copy, data feeds
 * that the texts read have theirs.
 */
export async function findModules(
  db: Db,
  clientId: number,
  texts: readonly string[] = [],
): Promise<Module[]> {
  const { rows } = await sql<
    Module & { isMandatory: boolean; isPersonal: boolean; max: number; copy: FeedItem[] | null }
  >`
    select p.token as name, p.type, p.body, p.is_mandatory as "isMandatory", p.feed_max as max, f.items as copy,
      p.type = 'data' and p.feed_scope = 'member' as "isPersonal"
    from placeholder p
    left join placeholder_feed f
      on f.client_id = p.client_id and f.module_id = p.module_id and f.url = p.feed_url and p.type = 'feed'
    where p.client_id = ${clientId} and p.deleted_at is null
    order by p.module_id`.execute(db)
  const modules = rows.map(({ max, copy, isPersonal, ...module }) => ({
    ...module,
    ...(isPersonal && { isPersonal }),
    ...(copy && { items: copy.slice(0, max) }),
  }))
  const copies = await findData(db, clientId, modules, texts)
  return modules.map(module => {
    const data = copies.get(module.name)
    return data === undefined ? module : { ...module, data }
  })
}

/** Copies of the data feeds that texts read, by placeholder. */
async function findData(
  db: Db,
  clientId: number,
  modules: readonly Module[],
  texts: readonly string[],
): Promise<ReadonlyMap<string, JsonValue>> {
  if (!modules.some(({ type }) => type === 'data')) return new Map()
  const names = [...insertedModules(texts, modules)]
  const { rows } = await sql<{ name: string; data: JsonValue }>`
    select p.token as name, f.data
    from placeholder p
    join placeholder_feed f on f.client_id = p.client_id and f.module_id = p.module_id and f.url = p.feed_url
    where p.client_id = ${clientId} and p.deleted_at is null and p.type = 'data' and p.token = any(${names}::text[])
      and f.data is not null
    limit ${maxDataFeeds}`.execute(db)
  return new Map(rows.map(({ name, data }) => [name, data]))
}
