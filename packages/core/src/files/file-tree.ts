import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { FILE_LIMITS, fileTypes, isFileType } from '@emma/contract/file-storage.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { Database } from '@emma/db/database-types.ts'
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { difference, logChange } from '../resource/log-change.ts'
import { type FilePath, insideOf, parentOf, splitName } from './file-path.ts'

/** A row of the file manager: a file or a folder. */
export type FileRow = Omit<Selectable<Database['file']>, 'sha256'>

export const fileColumns = [
  'client_id',
  'file_id',
  'folder',
  'name',
  'is_folder',
  'public_name',
  'mime_type',
  'size',
  'width',
  'height',
  'has_thumbnail',
  'alt',
  'sent_name',
  'sent_type',
  'sent_size',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'deleted_at',
] as const satisfies (keyof FileRow)[]

/**
 * Runs a change of a client's tree, one at a time: checks such as "the folder is empty" hold until the commit, and
 * concurrent uploads cannot exceed the quota together.
 */
export function changeTree<T>(db: Db, clientId: number, change: (tx: Db) => Promise<T>): Promise<T> {
  return transaction(db, async tx => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`files ${clientId}`}, 0))`.execute(tx)
    return change(tx)
  })
}

/** The entry of a path; null if there is none. The root has no row. */
export async function findEntry(db: Db, path: FilePath): Promise<FileRow | null> {
  const row = await db
    .selectFrom('file')
    .select(fileColumns)
    .where('client_id', '=', path.clientId)
    .where('folder', '=', path.folder)
    .where('name', '=', path.name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** @throws EmmaError `not_found`; also for a file where the path names a folder, and the reverse */
export async function readEntry(db: Db, path: FilePath): Promise<FileRow> {
  const row = await findEntry(db, path)
  if (row === null || row.is_folder !== path.isFolder) throw new EmmaError('not_found')
  return row
}

/** @throws EmmaError `not_found` unless the path is the root or an existing folder */
export async function assertFolder(db: Db, path: FilePath): Promise<void> {
  if (path.name !== '') await readEntry(db, { ...path, isFolder: true })
}

/** Entries of a folder, folders first, with the number of entries of each. */
export async function listFolder(
  db: Db,
  path: FilePath,
): Promise<{ entries: FileRow[]; counts: Map<string, number> }> {
  await assertFolder(db, path)
  const inside = insideOf(path)
  const entries = await db
    .selectFrom('file')
    .select(fileColumns)
    .where('client_id', '=', path.clientId)
    .where('folder', '=', inside)
    .where('deleted_at', 'is', null)
    .orderBy('is_folder', 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('name')
    .limit(FILE_LIMITS.folderEntries)
    .execute()
  const folders = entries.filter(({ is_folder }) => is_folder).map(({ name }) => `${inside}${name}/`)
  if (folders.length === 0) return { entries, counts: new Map() }
  const counted = await sql<{ folder: string; count: number }>`
    select folder, count(*) as count from file
    where client_id = ${path.clientId} and folder = any (${folders}::text[]) and deleted_at is null
    group by folder`.execute(db)
  return { entries, counts: new Map(counted.rows.map(({ folder, count }) => [folder, count])) }
}

/** @throws EmmaError `conflict` if the name exists, `not_found` if its parent does not, `too_large` beyond the limits */
export function createFolder(db: Db, actor: Actor, path: FilePath): Promise<FileRow> {
  return changeTree(db, path.clientId, async tx => {
    await assertRoom(tx, path)
    await assertFree(tx, path)
    return insertEntry(tx, actor, path, { is_folder: true })
  })
}

/** Inserts a row and its entry in the audit log. */
export async function insertEntry(
  tx: Db,
  actor: Actor,
  { clientId, folder, name }: FilePath,
  values: Partial<Omit<FileRow, 'client_id' | 'folder' | 'name'>> & { sha256?: Buffer },
): Promise<FileRow> {
  const row = await tx
    .insertInto('file')
    .values({
      ...values,
      client_id: clientId,
      folder,
      name,
      created_by: actor.userId,
      updated_by: actor.userId,
    })
    .returning(fileColumns)
    .executeTakeFirstOrThrow()
  await logFile(tx, actor, row, 'create', difference({}, row, ['folder', 'name', 'size']))
  return row
}

/**
 * Renames or moves an entry within a client.
 * @throws EmmaError `not_found`, `conflict` if the new name exists, `invalid` for a move into itself, another client or
 * another extension
 */
export function moveEntry(db: Db, actor: Actor, from: FilePath, to: FilePath): Promise<FileRow> {
  if (to.clientId !== from.clientId) throw invalid([fieldError('new_path', 'file.other_storage')])
  return changeTree(db, from.clientId, async tx => {
    const row = await readEntry(tx, from)
    const [before, after] = [insideOf(from), insideOf(to)]
    if (before === after) return row
    if (row.is_folder && to.folder.startsWith(before))
      throw invalid([fieldError('new_path', 'file.into_itself')])
    if (!row.is_folder) assertExtension(row, to.name)
    await assertRoom(tx, to, 0)
    await assertFree(tx, to)
    if (row.is_folder) await moveInside(tx, from.clientId, before, after)
    const moved = await tx
      .updateTable('file')
      .set({ folder: to.folder, name: to.name, updated_at: sql`now()`, updated_by: actor.userId })
      .where('client_id', '=', from.clientId)
      .where('file_id', '=', row.file_id)
      .returning(fileColumns)
      .executeTakeFirstOrThrow()
    await logFile(tx, actor, row, 'update', difference(row, moved, ['folder', 'name']))
    return moved
  })
}

async function moveInside(tx: Db, clientId: number, before: string, after: string): Promise<void> {
  const moved = await sql<{ depth: number }>`
    update file set folder = ${after} || substr(folder, ${before.length + 1})
    where client_id = ${clientId} and starts_with(folder, ${before})
    returning length(folder) - length(replace(folder, '/', '')) - 1 as depth`.execute(tx)
  if (moved.rows.some(({ depth }) => depth > FILE_LIMITS.folderDepth))
    throw invalid([fieldError('new_path', 'file.depth', { max: FILE_LIMITS.folderDepth })])
}

/** The content decides the type that is served; the extension must fit it. */
function assertExtension({ mime_type }: FileRow, name: string): void {
  if (mime_type === null || !isFileType(mime_type)) return
  const extension = splitName(name).extension.toLowerCase()
  const fitting = mime_type === 'image/jpeg' ? ['.jpg', '.jpeg'] : [`.${fileTypes[mime_type]}`]
  if (!fitting.includes(extension))
    throw invalid([fieldError('new_path', 'file.extension', { type: mime_type, name })])
}

/**
 * Moves an entry to the bin. Its public URL stays valid.
 * @throws EmmaError `not_found`, `conflict` for a folder that is not empty
 */
export function removeEntry(db: Db, actor: Actor, path: FilePath): Promise<void> {
  return changeTree(db, path.clientId, async tx => {
    const row = await readEntry(tx, path)
    if (row.is_folder && (await countEntries(tx, path.clientId, insideOf(path))) > 0)
      throw new EmmaError('conflict', fault('file.not_empty', { name: path.name }))
    await toBin(tx, actor, row)
  })
}

export async function toBin(tx: Db, actor: Actor, row: FileRow): Promise<void> {
  await tx
    .updateTable('file')
    .set({ deleted_at: sql`now()`, updated_at: sql`now()`, updated_by: actor.userId })
    .where('client_id', '=', row.client_id)
    .where('file_id', '=', row.file_id)
    .execute()
  await logFile(tx, actor, row, 'delete', {})
}

/** Restores an entry with its missing folders; a name that is in use again gets a number. */
export function restoreEntry(db: Db, actor: Actor, clientId: number, id: number): Promise<FileRow> {
  return changeTree(db, clientId, async tx => {
    const deleted = await tx
      .selectFrom('file')
      .select(fileColumns)
      .where('client_id', '=', clientId)
      .where('file_id', '=', id)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst()
    if (!deleted) throw new EmmaError('not_found', fault('file.purged'))
    const place = { clientId, folder: deleted.folder, name: deleted.name, isFolder: deleted.is_folder }
    await ensureFolder(tx, actor, parentOf(place))
    const name = await findFreeName(tx, place)
    const restored = await tx
      .updateTable('file')
      .set({ deleted_at: null, name, updated_at: sql`now()`, updated_by: actor.userId })
      .where('client_id', '=', clientId)
      .where('file_id', '=', id)
      .returning(fileColumns)
      .executeTakeFirstOrThrow()
    await logFile(tx, actor, restored, 'restore', {})
    return restored
  })
}

/** Creates a folder and its parents if there is none. @throws EmmaError `conflict` if one is a file */
export async function ensureFolder(tx: Db, actor: Actor, path: FilePath): Promise<void> {
  if (path.name === '') return
  const row = await findEntry(tx, path)
  if (row?.is_folder) return
  if (row) throw new EmmaError('conflict', fault('file.exists', { name: path.name }))
  await ensureFolder(tx, actor, parentOf(path))
  await insertEntry(tx, actor, path, { is_folder: true })
}

/** The name, or the first of `name (1).png`, `name (2).png` … that is free. */
export async function findFreeName(tx: Db, path: FilePath): Promise<string> {
  const rows = await tx
    .selectFrom('file')
    .select('name')
    .where('client_id', '=', path.clientId)
    .where('folder', '=', path.folder)
    .where('deleted_at', 'is', null)
    .limit(FILE_LIMITS.folderEntries)
    .execute()
  const taken = new Set(rows.map(({ name }) => name))
  const { stem, extension } = splitName(path.name)
  let name = path.name
  for (let number = 1; taken.has(name); number += 1) {
    const ending = ` (${number})${extension}`
    name = `${stem.slice(0, FILE_LIMITS.nameCharacters - ending.length).trim()}${ending}`
  }
  return name
}

/** @throws EmmaError `conflict` if there is an entry of that name */
async function assertFree(tx: Db, path: FilePath): Promise<void> {
  if (path.name === '' || (await findEntry(tx, path)) !== null)
    throw new EmmaError('conflict', fault('file.exists', { name: path.name || '/' }))
}

/**
 * Checks that the parent exists, and has room for one more entry; so has the client for `added` entries and `bytes`.
 * @throws EmmaError `not_found`, `too_large`
 */
export async function assertRoom(tx: Db, path: FilePath, added = 1, bytes = 0): Promise<void> {
  await assertFolder(tx, parentOf(path))
  if ((await countEntries(tx, path.clientId, path.folder)) >= FILE_LIMITS.folderEntries)
    throw new EmmaError('too_large', fault('file.folder_entries', { max: FILE_LIMITS.folderEntries }))
  if (added === 0) return
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*) as count, coalesce(sum(size), 0)::bigint as bytes from file
    where client_id = ${path.clientId}`.execute(tx)
  if ((rows[0]?.count ?? 0) + added > FILE_LIMITS.entries)
    throw new EmmaError('too_large', fault('file.entries', { max: FILE_LIMITS.entries }))
  if ((rows[0]?.bytes ?? 0) + bytes > FILE_LIMITS.clientBytes)
    throw new EmmaError('too_large', fault('file.quota', { max: FILE_LIMITS.clientBytes / 1_000_000_000 }))
}

export async function countEntries(tx: Db, clientId: number, folder: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from file
    where client_id = ${clientId} and folder = ${folder} and deleted_at is null`.execute(tx)
  return rows[0]?.count ?? 0
}

export function logFile(
  tx: Db,
  actor: Actor,
  { client_id: clientId, file_id: id }: Pick<FileRow, 'client_id' | 'file_id'>,
  action: string,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  return logChange(tx, actor, { clientId, object: 'file', id, action, changes })
}
