import { EmmaError } from '@emma/contract/errors.ts'
import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { difference } from '../resource/log-change.ts'
import { changeTree, fileColumns, type FileRow, logFile } from './file-tree.ts'
import { contains, contentKey, type FileStorage, publicPath, thumbnailKey } from './store-file.ts'

export interface FileQuery {
  /** Substring of name or alt text, ignoring case. */
  search?: string | undefined
  deleted?: boolean | undefined
  limit: number
  offset: number
}

/** Files of all folders, the last changed first. */
export async function listFiles(
  db: Db,
  clientId: number,
  { search = '', deleted = false, limit, offset }: FileQuery,
): Promise<{ rows: FileRow[]; total: number }> {
  const found = search.trim().toLowerCase()
  const query = db
    .selectFrom('file')
    .where('client_id', '=', clientId)
    .where('deleted_at', deleted ? 'is not' : 'is', null)
    .where(
      sql<boolean>`(${found} = '' or position(${found} in lower(name)) > 0 or position(${found} in lower(coalesce(alt, ''))) > 0)`,
    )
  const counted = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .select(fileColumns)
    .orderBy('updated_at', 'desc')
    .orderBy('file_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: counted.total }
}

/** @throws EmmaError `not_found` */
export async function readFile(db: Db, clientId: number, id: number): Promise<FileRow> {
  const row = await db
    .selectFrom('file')
    .select(fileColumns)
    .where('client_id', '=', clientId)
    .where('file_id', '=', id)
    .executeTakeFirst()
  if (!row) throw new EmmaError('not_found')
  return row
}

/** Changes the alternative text of a file. @throws EmmaError `not_found` */
export function describeFile(
  db: Db,
  actor: Actor,
  clientId: number,
  id: number,
  alt: string | null,
): Promise<FileRow> {
  return changeTree(db, clientId, async tx => {
    const before = await readFile(tx, clientId, id)
    if (before.is_folder || before.deleted_at !== null) throw new EmmaError('not_found')
    const row = await tx
      .updateTable('file')
      .set({ alt, updated_at: sql`now()`, updated_by: actor.userId })
      .where('client_id', '=', clientId)
      .where('file_id', '=', id)
      .returning(fileColumns)
      .executeTakeFirstOrThrow()
    await logFile(tx, actor, row, 'update', difference(before, row, ['alt']))
    return row
  })
}

/** Templates of a client that contain the file's public URL or attach it, at most 100. @throws EmmaError `not_found` */
export async function listUsage(
  db: Db,
  clientId: number,
  id: number,
): Promise<{ message_id: number; name: string }[]> {
  const file = await readFile(db, clientId, id)
  if (file.is_folder) return []
  const { rows } = await sql<{ message_id: number; name: string }>`
    select message_id, name from message
    where client_id = ${clientId} and deleted_at is null and ${contains(publicPath(file))}
    order by name, message_id limit 100`.execute(db)
  return rows
}

/** What the public URL of a file needs; deleted files stay available until they are purged. */
export interface ServedFile {
  client_id: number
  public_name: string | null
  mime_type: string | null
  /** Null: only the storage knows it. */
  size: number | null
  sha256: string
  has_thumbnail: boolean
}

/** A file of the file manager, or the picture of a mail. */
export async function findServed(db: Db, clientId: number, publicName: string): Promise<ServedFile | null> {
  return (await findFile(db, clientId, publicName)) ?? findPicture(db, clientId, publicName)
}

async function findFile(db: Db, clientId: number, publicName: string): Promise<ServedFile | null> {
  const row = await db
    .selectFrom('file')
    .select(['client_id', 'public_name', 'mime_type', 'size', 'has_thumbnail'])
    .select(sql<string>`encode(sha256, 'hex')`.as('sha256'))
    .where('client_id', '=', clientId)
    .where('public_name', '=', publicName)
    .executeTakeFirst()
  return row ?? null
}

/** Contents of pictures never change under their names. */
async function findPicture(db: Db, clientId: number, publicName: string): Promise<ServedFile | null> {
  const row = await db
    .selectFrom('mail_picture_content')
    .select(['client_id', 'public_name'])
    .where('client_id', '=', clientId)
    .where('public_name', '=', publicName)
    .executeTakeFirst()
  if (!row) return null
  return { ...row, mime_type: 'image/jpeg', size: null, sha256: row.public_name, has_thumbnail: true }
}

/** Files that one run of the job looks at. */
const PURGED_AT_ONCE = 500

/**
 * Deletes files that have been in the bin for 30 days, unless a template, a placeholder, a process mail, the brand or a
 * message that was sent uses them. Shared files are kept, as any client may use them.
 * @returns number of deleted entries
 */
export async function purgeFiles(db: Db, storage: FileStorage): Promise<number> {
  const { rows } = await sql<
    Pick<FileRow, 'client_id' | 'file_id' | 'public_name' | 'mime_type' | 'is_folder'>
  >`
    select client_id, file_id, public_name, mime_type, is_folder from file
    where deleted_at < now() - make_interval(days => ${FILE_LIMITS.binDays}) and client_id > 0
    order by updated_at limit ${PURGED_AT_ONCE}`.execute(db)
  let purged = 0
  for (const file of rows) {
    if (!file.is_folder && (await isUsed(db, file))) {
      await postpone(db, file)
      continue
    }
    if (!file.is_folder) {
      await storage.remove(thumbnailKey(file))
      await storage.remove(contentKey(file))
    }
    await db
      .deleteFrom('file')
      .where('client_id', '=', file.client_id)
      .where('file_id', '=', file.file_id)
      .where('deleted_at', 'is not', null)
      .execute()
    purged += 1
  }
  return purged
}

/** Moves a file that is still used to the end of the queue, so that others are looked at in the next run. */
async function postpone(
  db: Db,
  { client_id, file_id }: Pick<FileRow, 'client_id' | 'file_id'>,
): Promise<void> {
  await db
    .updateTable('file')
    .set({ updated_at: sql`now()` })
    .where('client_id', '=', client_id)
    .where('file_id', '=', file_id)
    .execute()
}

/** Records in the bin count, as they may be restored. */
async function isUsed(
  db: Db,
  file: Pick<FileRow, 'client_id' | 'public_name' | 'mime_type'>,
): Promise<boolean> {
  const path = publicPath(file)
  const { rows } = await sql`
    select from message where client_id = ${file.client_id} and ${contains(path)}
    union all
    select from placeholder
    where client_id = ${file.client_id} and position(${path} in body::text) > 0
    union all
    select from pmt
    where client_id = ${file.client_id} and position(${path} in body_long) > 0
    union all
    select from campaign
    where client_id = ${file.client_id} and snapshot is not null and position(${path} in snapshot::text) > 0
    union all
    select from client where client_id = ${file.client_id} and position(${path} in brand_logo_url) > 0
    limit 1`.execute(db)
  return rows.length > 0
}
