import type { ImageEdit } from '@emma/contract/actions/files.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import { splitName } from '@emma/core/files/file-path.ts'
import type { FileRow } from '@emma/core/files/file-tree.ts'
import { readFile } from '@emma/core/files/read-files.ts'
import { contentKey, type FileStorage, storeFile } from '@emma/core/files/store-file.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { Db } from '@emma/db/connection.ts'
import { Readable } from 'node:stream'
import { receiveFile } from './receive-file.ts'
import type { ImageProcesses } from './run-image-process.ts'

/** Where files are stored and received, and what prepares images. */
export interface FileParts {
  storage: FileStorage
  images: ImageProcesses
  /** Folder of files that are being received. */
  folder: string
}

/**
 * Crops and scales an image of a client. The result is a new file beside it, or takes its name and its place in templates.
 * @throws EmmaError `not_found`, `invalid` (a crop beyond the image), `too_large` (quota), `busy`
 */
export async function editImage(
  db: Db,
  { storage, images, folder }: FileParts,
  actor: Actor,
  { clientId, id, edit, replace }: { clientId: number; id: number; edit: ImageEdit; replace: boolean },
): Promise<FileRow> {
  const image = await readFile(db, clientId, id)
  if (image.deleted_at !== null || !image.mime_type?.startsWith('image/')) throw new EmmaError('not_found')
  const content = await storage.get(contentKey(image))
  if (content === null) throw new EmmaError('not_found')
  const incoming = { stream: Readable.from(content), name: image.name, type: image.mime_type, edit }
  return receiveFile({ folder, images, clientId }, incoming, async file => {
    const name = replace ? image.name : nameOf(image.name, file)
    const path = { clientId, folder: image.folder, name, isFolder: false }
    const stored = await storeFile(
      db,
      storage,
      actor,
      path,
      { ...file, alt: image.alt },
      replace ? 'replace' : 'keep',
    )
    return stored.row
  })
}

/** `logo.png` becomes `logo-600x300.png`. */
function nameOf(name: string, { width, height }: { width: number | null; height: number | null }): string {
  const { stem, extension } = splitName(name)
  const ending = `-${width}x${height}${extension}`
  return `${stem.replace(/-\d+x\d+$/, '').slice(0, FILE_LIMITS.nameCharacters - ending.length)}${ending}`
}
