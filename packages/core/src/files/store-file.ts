import { randomBytes } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { type ConflictStrategy, type FileType, fileTypes, isFileType } from '@emma/contract/file-storage.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { requestPicture, requestPictures } from '../content/request-pictures.ts'
import type { Actor } from '../resource/actor.ts'
import { tellCaches } from '../resource/tell-caches.ts'
import { type FilePath, insideOf } from './file-path.ts'
import {
  assertRoom,
  changeTree,
  ensureFolder,
  fileColumns,
  type FileRow,
  findEntry,
  findFreeName,
  insertEntry,
  logFile,
  toBin,
} from './file-tree.ts'

/** A checked file on the local disk, before it is stored. */
export interface CheckedFile {
  path: string
  type: FileType
  size: number
  sha256: Buffer
  width: number | null
  height: number | null
  /** Path of its preview for the console, a WebP image. */
  thumbnail: string | null
  /** Alternative text, if it is known; a replaced file passes on its own. */
  alt?: string | null
  sent: SentFile
}

/** The file as it was sent. */
export interface SentFile {
  name: string
  type: string
  size: number
}

/** Where contents are stored: a folder on disk or a bucket. Keys: letters, digits, `_`, `-`, `.` and `/`. */
export interface FileStorage {
  put(key: string, path: string, type: string): Promise<void>
  /** @param range first and last byte; null if there is no such content */
  get(key: string, range?: { start: number; end: number }): Promise<NodeJS.ReadableStream | null>
  /** Removes the content if it exists. */
  remove(key: string): Promise<void>
}

export interface StoredEntry {
  row: FileRow
  /** It existed with the same name, size and type as sent. */
  isSkipped: boolean
}

export function contentKey({ client_id, public_name }: Pick<FileRow, 'client_id' | 'public_name'>): string {
  return `${client_id}/${public_name}`
}

export function thumbnailKey(file: Pick<FileRow, 'client_id' | 'public_name'>): string {
  return `${contentKey(file)}.thumb`
}

/** The entry of an earlier upload of the same file (R302), null if there is none. */
export async function findSame(db: Db, path: FilePath, sent: SentFile): Promise<FileRow | null> {
  const row = await db
    .selectFrom('file')
    .select(fileColumns)
    .where('client_id', '=', path.clientId)
    .where('folder', '=', path.folder)
    .where('sent_name', '=', sent.name)
    .where('sent_type', '=', sent.type)
    .where('sent_size', '=', sent.size)
    .where('deleted_at', 'is', null)
    .orderBy('file_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores a checked file. The content is stored before its row, so that every row has its content.
 * @param strategy for a name that exists: reject, store under another name, or replace
 * @throws EmmaError `conflict`, `not_found` (the folder), `too_large` (quota)
 */
export async function storeFile(
  db: Db,
  storage: FileStorage,
  actor: Actor,
  path: FilePath,
  file: CheckedFile,
  strategy: ConflictStrategy,
): Promise<StoredEntry> {
  const same = strategy === 'ask' ? await findSame(db, path, file.sent) : null
  if (same) return { row: same, isSkipped: true }
  const content = await putContent(storage, path.clientId, file)
  try {
    return await changeTree(db, path.clientId, async tx => {
      await assertRoom(tx, path, 1, file.size)
      const existing = await findEntry(tx, path)
      if (existing && (strategy === 'ask' || existing.is_folder))
        throw new EmmaError('conflict', fault('file.exists', { name: path.name }))
      const name = strategy === 'keep' ? await findFreeName(tx, path) : path.name
      if (existing && strategy === 'replace') await toBin(tx, actor, existing)
      const alt = existing && strategy === 'replace' ? existing.alt : (file.alt ?? null)
      const row = await insertEntry(tx, actor, { ...path, name }, { ...content, alt })
      if (existing && strategy === 'replace') await replaceInTemplates(tx, actor, existing, row)
      return { row, isSkipped: false }
    })
  } catch (error) {
    await dropContent(storage, path.clientId, content)
    throw error
  }
}

/** A content that is stored, without its row. */
export type StoredContent = Awaited<ReturnType<typeof putContent>>

/** Stores the content of a checked file under a random name. */
export async function putContent(storage: FileStorage, clientId: number, file: CheckedFile) {
  const place = { client_id: clientId, public_name: randomBytes(16).toString('base64url') }
  await storage.put(contentKey(place), file.path, file.type)
  if (file.thumbnail !== null) await storage.put(thumbnailKey(place), file.thumbnail, 'image/webp')
  return {
    public_name: place.public_name,
    mime_type: file.type,
    size: file.size,
    sha256: file.sha256,
    width: file.width,
    height: file.height,
    has_thumbnail: file.thumbnail !== null,
    sent_name: file.sent.name,
    sent_type: file.sent.type,
    sent_size: file.sent.size,
  }
}

/** Removes a content without a row. */
export async function dropContent(
  storage: FileStorage,
  clientId: number,
  { public_name }: Pick<FileRow, 'public_name'>,
): Promise<void> {
  const place = { client_id: clientId, public_name }
  await storage.remove(contentKey(place))
  await storage.remove(thumbnailKey(place))
}

/**
 * Inserts the rows of stored contents into a folder, which is created, all or none. Contents that the client's files have already
 * are not stored twice.
 * @returns the files in the order of the contents
 * @throws EmmaError `too_large` (quota), `conflict` (the folder is a file); the contents are removed then
 */
export async function insertFiles(
  db: Db,
  storage: FileStorage,
  actor: Actor,
  folder: FilePath,
  contents: readonly { name: string; content: StoredContent }[],
): Promise<FileRow[]> {
  const { clientId } = folder
  const unused: StoredContent[] = []
  try {
    const rows = await changeTree(db, clientId, async tx => {
      const files: FileRow[] = []
      for (const { name, content } of contents) {
        const same = await findContent(tx, clientId, content)
        if (same) {
          files.push(same)
          unused.push(content)
          continue
        }
        await ensureFolder(tx, actor, folder)
        const path = { clientId, folder: insideOf(folder), name, isFolder: false }
        await assertRoom(tx, path, 1, content.size)
        files.push(await insertEntry(tx, actor, { ...path, name: await findFreeName(tx, path) }, content))
      }
      return files
    })
    for (const content of unused) await dropContent(storage, clientId, content)
    return rows
  } catch (error) {
    for (const { content } of contents) await dropContent(storage, clientId, content)
    throw error
  }
}

async function findContent(
  tx: Db,
  clientId: number,
  { sha256, mime_type }: StoredContent,
): Promise<FileRow | undefined> {
  return tx
    .selectFrom('file')
    .select(fileColumns)
    .where('client_id', '=', clientId)
    .where('sha256', '=', sha256)
    .where('mime_type', '=', mime_type)
    .where('deleted_at', 'is', null)
    .orderBy('file_id')
    .limit(1)
    .executeTakeFirst()
}

/** Path of a file's public URL: `/files/12/{random}.png`. */
export function publicPath({ client_id, public_name, mime_type }: PublicFile): string {
  if (mime_type === null || !isFileType(mime_type)) throw new Error(`${mime_type} is not served`)
  return `/files/${client_id}/${public_name}.${fileTypes[mime_type]}`
}

/** Key of the content of a public path. */
export function keyOfPath(path: string): string {
  return path.replace(/^\/files\//, '').replace(/\.\w+$/, '')
}

/** SQL condition: a message shows or attaches a file. */
export function contains(path: string): RawBuilder<boolean> {
  return sql<boolean>`(position(${path} in coalesce(body_long, '')) > 0
    or position(${path} in coalesce(body_mjml, '')) > 0 or position(${path} in attachments::text) > 0
    or position(${path} in languages::text) > 0)`
}

export type PublicFile = Pick<FileRow, 'client_id' | 'public_name' | 'mime_type'>

/** Templates, placeholders, process mails and the brand show the new file; what was sent, and campaigns that were started, keep the old one. */
async function replaceInTemplates(tx: Db, actor: Actor, before: FileRow, after: FileRow): Promise<void> {
  const [from, to] = [publicPath(before), publicPath(after)]
  const attached = JSON.stringify({ path: to, mime_type: after.mime_type, size: after.size })
  const changed = await sql<{ message_id: number }>`
    update message
    set body_long = replace(body_long, ${from}, ${to}), body_mjml = replace(body_mjml, ${from}, ${to}),
      languages = replace(languages::text, ${from}, ${to})::jsonb,
      attachments = case when position(${from} in attachments::text) = 0 then attachments else (
        select jsonb_agg(case when each->>'path' = ${from} then each || ${attached}::jsonb else each end order by n)
        from jsonb_array_elements(attachments) with ordinality as attached (each, n)) end,
      revision = revision + 1, updated_at = now(), updated_by = ${actor.userId}
    where client_id = ${before.client_id} and deleted_at is null and ${contains(from)}
    returning message_id`.execute(tx)
  await sql`
    update placeholder
    set body = replace(body::text, ${from}, ${to})::jsonb,
      revision = revision + 1, updated_at = now(), updated_by = ${actor.userId}
    where client_id = ${before.client_id} and deleted_at is null and position(${from} in body::text) > 0`.execute(
    tx,
  )
  await sql`
    update pmt
    set body_long = replace(body_long, ${from}, ${to}),
      revision = revision + 1, updated_at = now(), updated_by = ${actor.userId}
    where client_id = ${before.client_id} and deleted_at is null and position(${from} in body_long) > 0`.execute(
    tx,
  )
  await sql`
    update client set brand_logo_url = replace(brand_logo_url, ${from}, ${to})
    where client_id = ${before.client_id} and position(${from} in brand_logo_url) > 0`.execute(tx)
  await tellCaches(tx)
  for (const { message_id: id } of changed.rows) await requestPicture(tx, before.client_id, `message/${id}`)
  await requestPictures(tx, before.client_id)
  await logFile(tx, actor, after, 'replace', {
    public_name: [before.public_name, after.public_name],
    templates: [null, changed.rows.map(({ message_id }) => message_id)],
  })
}
