import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import {
  MAX_NAMED_VERSIONS,
  type MessageVersion,
  type VersionContent,
  versionFields,
} from '@emma/contract/actions/message-versions.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'

/** Changes of one user within this time are one version. */
const VERSION_MINUTES = 10
/** Versions of a message without a name: older ones are deleted, except for the last two. */
const VERSION_LIMITS = { count: 100, characters: 30_000_000 }

export interface VersionKey {
  clientId: number
  messageId: number
  versionId: number
}

/**
 * Stores the state of a message as a version if it differs from the last one. Changes of the same user within ten
 * minutes continue a version, unless it was restored or replaced by a restored one. At most 100 versions are kept, and
 * fewer of very long messages.
 */
export async function keepVersion(db: Db, clientId: number, messageId: number): Promise<void> {
  const own = sql`client_id = ${clientId} and message_id = ${messageId}`
  await sql`select from message where ${own} for update`.execute(db)
  const { rows } = await sql<{ versionId: number | null; isSame: boolean; continues: boolean }>`
    select last.version_id as "versionId", coalesce(last.content = state.content, false) as "isSame",
      coalesce(not last.is_closed and last.user_id is not distinct from state.updated_by
        and state.updated_at < last.began_at + make_interval(mins => ${VERSION_MINUTES}), false) as continues
    from (${currentState(own)}) as state
    left join (select * from message_version where ${own} order by version_id desc limit 1) as last
      using (client_id, message_id)`.execute(db)
  const last = rows[0]
  if (!last || last.isSame) return
  const { versionId, continues } = last
  if (continues && versionId !== null) await continueVersion(db, own, versionId)
  else await addVersion(db, own)
  await deleteOldVersions(db, own)
}

async function addVersion(db: Db, own: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into message_version
      (client_id, message_id, revision, user_id, began_at, saved_at, changed, size, content)
    select client_id, message_id, revision, updated_by, updated_at, updated_at, ${changedFields(own, null)},
      length(content::text), content
    from (${currentState(own)}) as state`.execute(db)
}

async function continueVersion(db: Db, own: RawBuilder<unknown>, versionId: number): Promise<void> {
  await sql`
    update message_version as v
    set revision = state.revision, saved_at = state.updated_at, changed = ${changedFields(own, versionId)},
      size = length(state.content::text), content = state.content
    from (${currentState(own)}) as state
    where v.client_id = state.client_id and v.message_id = state.message_id and v.version_id = ${versionId}`.execute(
    db,
  )
}

async function deleteOldVersions(db: Db, own: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from message_version where ${own} and version_id in (
      select version_id from (
        select version_id, row_number() over newest as place, sum(size) over newest as characters
        from message_version where ${own} and name is null window newest as (order by version_id desc)) as kept
      where place > ${VERSION_LIMITS.count} or (place > 2 and characters > ${VERSION_LIMITS.characters}))`.execute(
    db,
  )
}

/** The message's row with its content as JSON. Only designs of Beefree have `bee_json`, and so have their versions. */
function currentState(own: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = versionFields.filter(field => field !== 'urls' && field !== 'bee_json')
  return sql`
    select client_id, message_id, revision, updated_by, updated_at, jsonb_build_object(
      ${sql.join(columns.flatMap(column => [sql.lit(column), sql.ref(column)]))},
      'urls', (
        select coalesce(jsonb_agg(jsonb_build_object('link_index', link_index, 'name', name, 'url', url,
          'is_active', is_active) order by link_index), '[]')
        from message_link where ${own}))
      || case when bee_json is null then '{}' else jsonb_build_object('bee_json', bee_json) end as content
    from message where ${own}`
}

/** Fields of `state` that differ from the version before `versionId`, or from the last one; null if there is none. */
function changedFields(own: RawBuilder<unknown>, versionId: number | null): RawBuilder<unknown> {
  return sql`(
    select array(
      select field.key from jsonb_each(state.content) as field
      where field.value is distinct from before.content -> field.key order by field.key)
    from message_version as before
    where ${own} and (${versionId}::bigint is null or before.version_id < ${versionId})
    order by before.version_id desc limit 1)`
}

const listed = sql`
  v.version_id, v.name, v.revision, v.user_id,
  coalesce(nullif(trim(concat(u.firstname, ' ', u.lastname)), ''), u.username, '') as user,
  v.began_at, v.saved_at, v.changed, v.restored_from, v.size`

/** Versions of a message, the current one first. Throws `not_found` for an unknown message. */
export async function listVersions(
  db: Db,
  { clientId, messageId }: Omit<VersionKey, 'versionId'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: MessageVersion[]; total: number }> {
  await assertMessage(db, clientId, messageId)
  const { rows } = await sql<MessageVersion & { total: number }>`
    select ${listed}, count(*) over () as total
    from message_version v left join app_user u on u.id = v.user_id
    where v.client_id = ${clientId} and v.message_id = ${messageId}
    order by v.version_id desc limit ${limit} offset ${offset}`.execute(db)
  return { data: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** A version with its content. Throws `not_found`. */
export async function readVersion(
  db: Db,
  { clientId, messageId, versionId }: VersionKey,
): Promise<MessageVersion & { content: VersionContent }> {
  await assertMessage(db, clientId, messageId)
  const { rows } = await sql<MessageVersion & { content: VersionContent }>`
    select ${listed}, v.content
    from message_version v left join app_user u on u.id = v.user_id
    where v.client_id = ${clientId} and v.message_id = ${messageId} and v.version_id = ${versionId}`.execute(
    db,
  )
  const version = rows[0]
  if (!version) throw new EmmaError('not_found')
  return { ...version, content: { ...version.content, bee_json: version.content.bee_json ?? null } }
}

/**
 * Names a version, which is kept from then on and not continued by the next change; null takes the name away.
 *
 * @throws EmmaError `not_found`, `invalid` beyond the most named versions of a message
 */
export async function nameVersion(
  db: Db,
  actor: Actor,
  key: VersionKey,
  name: string | null,
): Promise<MessageVersion> {
  const { clientId, messageId, versionId } = key
  return transaction(db, async tx => {
    const own = sql`client_id = ${clientId} and message_id = ${messageId}`
    await sql`select from message where ${own} for update`.execute(tx)
    const before = await readVersion(tx, key)
    await sql`
      update message_version set name = ${name}, is_closed = is_closed or ${name}::text is not null
      where ${own} and version_id = ${versionId}`.execute(tx)
    const { rows } = await sql<{ named: number }>`
      select count(*) as named from message_version where ${own} and name is not null`.execute(tx)
    if (name !== null && (rows[0]?.named ?? 0) > MAX_NAMED_VERSIONS)
      throw invalid([fieldError('name', 'field.too_many_items', { max: MAX_NAMED_VERSIONS })])
    const { content: _, ...version } = await readVersion(tx, key)
    await logChange(tx, actor, {
      clientId,
      object: 'message',
      id: messageId,
      action: 'nameVersion',
      changes: { version_name: [before.name, name] },
    })
    return version
  })
}

export async function assertMessage(db: Db, clientId: number, messageId: number): Promise<void> {
  const { rows } = await sql`
    select from message where client_id = ${clientId} and message_id = ${messageId} and deleted_at is null`.execute(
    db,
  )
  if (rows.length === 0) throw new EmmaError('not_found')
}
