import { randomBytes } from 'node:crypto'
import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { contentKey, type FileStorage, publicPath, thumbnailKey } from '../files/store-file.ts'
import { PAUSE_S, type PictureSubject } from './request-pictures.ts'

/** Seconds after which a picture that nobody finished is drawn again. */
const LEASE_S = 60

/** Seconds that a replaced content is served to lists that are still open. */
const REPLACED_S = 3_600

/** A picture to be drawn. */
export interface PictureTask {
  client_id: number
  subject: PictureSubject
  requested: number
  /** Including this one. */
  attempts: number
  /** SHA-256 of the HTML that the present picture shows. */
  html_hash: Buffer | null
}

/** Takes the picture that is due first; null if there is none. Unless it is finished, it is due again after a while. */
export async function takePicture(db: Db): Promise<PictureTask | null> {
  const { rows } = await sql<PictureTask>`
    update mail_picture set due_at = now() + make_interval(secs => ${LEASE_S}), attempts = attempts + 1
    where (client_id, subject) = (
      select client_id, subject from mail_picture where due_at <= now()
      order by due_at limit 1 for update skip locked)
    returning client_id, subject, requested, attempts, html_hash`.execute(db)
  return rows[0] ?? null
}

/** A drawn picture on the local disk: JPEG and WebP. */
export interface DrawnPicture {
  hash: Buffer
  large: string
  small: string
}

/**
 * Stores a picture and shows it in place of the present one; null: the mail has none. The content is stored before it
 * is shown, and what no mail shows is removed later, also after a crash.
 */
export async function finishPicture(
  db: Db,
  storage: FileStorage,
  task: PictureTask,
  drawn: DrawnPicture | null,
): Promise<void> {
  const name = drawn && (await storeContent(db, storage, task.client_id, drawn))
  await transaction(db, async tx => {
    const { rows } = await sql<{ before: string | null }>`
      update mail_picture p set public_name = ${name}, html_hash = ${drawn?.hash ?? null}, drawn_at = now(),
        ${unlessRequested(task)}
      from (
        select client_id, subject, public_name as before from mail_picture
        where client_id = ${task.client_id} and subject = ${task.subject} for update) b
      where p.client_id = ${task.client_id} and b.client_id = p.client_id and b.subject = p.subject
      returning b.before`.execute(tx)
    // Purged while it was drawn: what was stored is removed.
    if (rows.length === 0) return
    await sql`
      update mail_picture_content
      set replaced_at = case when public_name = ${name} then null else now() end
      where client_id = ${task.client_id} and public_name in (${name}, ${rows[0]?.before ?? null})`.execute(
      tx,
    )
  })
}

/** Attempts to draw a picture; each waits four times as long as the one before. */
const ATTEMPTS = 4

/** Draws a picture again later that took too long or failed; after the last attempt not before its mail changes. */
export async function postponePicture(db: Db, storage: FileStorage, task: PictureTask): Promise<void> {
  if (task.attempts >= ATTEMPTS) return finishPicture(db, storage, task, null)
  await sql`
    update mail_picture p
    set due_at = case when p.requested = ${task.requested}
      then now() + make_interval(mins => ${4 ** (task.attempts - 1)}) else p.due_at end
    where p.client_id = ${task.client_id} and p.subject = ${task.subject}`.execute(db)
}

/** The present picture still shows the mail. */
export async function keepPicture(db: Db, task: PictureTask): Promise<void> {
  await sql`
    update mail_picture p set ${unlessRequested(task)}
    where p.client_id = ${task.client_id} and p.subject = ${task.subject}`.execute(db)
}

function unlessRequested({ requested }: PictureTask) {
  const isCurrent = sql`p.requested = ${requested}`
  return sql`stale_since = case when ${isCurrent} then null else p.stale_since end,
    due_at = case when ${isCurrent} then null else now() + make_interval(secs => ${PAUSE_S}) end`
}

async function storeContent(
  db: Db,
  storage: FileStorage,
  clientId: number,
  { large, small }: DrawnPicture,
): Promise<string> {
  const content = { client_id: clientId, public_name: randomBytes(16).toString('base64url') }
  await db.insertInto('mail_picture_content').values(content).execute()
  await storage.put(contentKey(content), large, 'image/jpeg')
  await storage.put(thumbnailKey(content), small, 'image/webp')
  return content.public_name
}

/** Contents that one call removes. */
const REMOVED_AT_ONCE = 100

/** Removes contents that were replaced an hour ago. */
export async function removeReplaced(db: Db, storage: FileStorage): Promise<void> {
  const { rows } = await sql<{ client_id: number; public_name: string }>`
    select client_id, public_name from mail_picture_content
    where replaced_at < now() - make_interval(secs => ${REPLACED_S})
    order by replaced_at limit ${REMOVED_AT_ONCE}`.execute(db)
  for (const content of rows) {
    await storage.remove(thumbnailKey(content))
    await storage.remove(contentKey(content))
    await db
      .deleteFrom('mail_picture_content')
      .where('client_id', '=', content.client_id)
      .where('public_name', '=', content.public_name)
      .execute()
  }
}

/** Removes the pictures of templates that can no longer be restored. */
export async function purgePictures(db: Db): Promise<void> {
  await sql`
    with gone as (
      delete from mail_picture p using message m
      where m.client_id = p.client_id and p.subject = 'message/' || m.message_id
        and m.deleted_at < now() - make_interval(days => ${FILE_LIMITS.binDays})
      returning p.client_id, p.public_name)
    update mail_picture_content c set replaced_at = now()
    from gone g where c.client_id = g.client_id and c.public_name = g.public_name`.execute(db)
}

/** URLs of a picture (R020). */
export interface Screenshot {
  url_large: string
  url_small: string
}

/**
 * Pictures that show their mails as they are now, by subject. Meanwhile the console draws the mail itself.
 * @param base URL that the tracking role is reached at
 */
export async function findPictures(
  db: Db,
  base: string,
  mails: readonly { clientId: number; subject: PictureSubject }[],
): Promise<ReadonlyMap<string, Screenshot>> {
  if (mails.length === 0) return new Map()
  const clients = [...new Set(mails.map(({ clientId }) => clientId))]
  const { rows } = await sql<{ client_id: number; subject: string; public_name: string }>`
    select client_id, subject, public_name from mail_picture
    where client_id = any(${clients}::bigint[]) and subject = any(${mails.map(({ subject }) => subject)}::text[])
      and public_name is not null and stale_since is null`.execute(db)
  return new Map(
    rows.map(({ client_id, subject, public_name }) => {
      const file = { client_id, public_name, mime_type: 'image/jpeg' }
      const path = publicPath(file)
      return [
        subject,
        { url_large: `${base}${path}`, url_small: `${base}${path.replace(/\.jpg$/, '.thumb.webp')}` },
      ]
    }),
  )
}
