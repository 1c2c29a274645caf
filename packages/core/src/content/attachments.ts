import { type Attachment, ATTACHMENT_LIMITS, attachments as schema } from '@emma/contract/attachments.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { fileTypes, isFileType, sharedStorage } from '@emma/contract/file-storage.ts'
import type { Db } from '@emma/db/connection.ts'
import type { AttachedSizes } from '@emma/mail/template/content-source.ts'
import { publicPath } from '../files/store-file.ts'

/**
 * Completes attachments with type and size of their files, which may be in the bin.
 * @throws EmmaError `invalid` for files that do not exist, names without the extension of the type, and too many bytes
 */
export async function completeAttachments(
  db: Db,
  clientId: number,
  attachments: readonly Attachment[],
): Promise<Attachment[]> {
  const files = await findFiles(db, clientId, attachments)
  const complete = attachments.map(({ path, name }) => {
    const file = files.get(path)
    if (!file) throw invalid([fieldError('attachments', 'field.not_there')])
    assertExtension(name, file.mime_type)
    return { path, name, ...file }
  })
  const bytes = complete.reduce((sum, { size }) => sum + size, 0)
  if (bytes > ATTACHMENT_LIMITS.totalBytes)
    throw invalid([
      fieldError('attachments', 'field.attachments_size', { max: ATTACHMENT_LIMITS.totalBytes / 1_000_000 }),
    ])
  return complete
}

/**
 * Sizes of a message's attachments, for its checks; undefined without any.
 *
 * @param value attachments, also as stored (JSON)
 */
export async function attachedSizes(
  db: Db,
  clientId: number,
  value: unknown,
): Promise<AttachedSizes | undefined> {
  const { data = [] } = schema.safeParse(value)
  if (data.length === 0) return undefined
  const files = await findFiles(db, clientId, data)
  const { totalBytes, warnedMailBytes } = ATTACHMENT_LIMITS
  return {
    files: data.map(({ path, name }) => ({ name, size: files.get(path)?.size ?? null })),
    totalBytes,
    warnedMailBytes,
  }
}

/** Files of the client and shared ones, by path. */
async function findFiles(
  db: Db,
  clientId: number,
  attachments: readonly Attachment[],
): Promise<Map<string, Pick<Attachment, 'mime_type' | 'size'>>> {
  if (attachments.length === 0) return new Map()
  const names = attachments.map(({ path }) => path.replace(/^.*\/|\.\w+$/g, ''))
  const rows = await db
    .selectFrom('file')
    .select(['client_id', 'public_name', 'mime_type', 'size'])
    .where('client_id', 'in', [clientId, sharedStorage])
    .where('public_name', 'in', names)
    .execute()
  return new Map(
    rows.map(({ mime_type, size, ...row }) => [
      publicPath({ ...row, mime_type }),
      { mime_type: mime_type ?? '', size },
    ]),
  )
}

function assertExtension(name: string, type: string): void {
  const extension = isFileType(type) ? `.${fileTypes[type]}` : ''
  const lower = name.toLowerCase()
  if (lower.endsWith(extension) || (extension === '.jpg' && lower.endsWith('.jpeg'))) return
  throw invalid([fieldError('attachments', 'field.attachment_extension', { name, extension })])
}
