import { FILE_LIMITS, sharedStorage } from '@emma/contract/file-storage.ts'
import type { Db } from '@emma/db/connection.ts'
import type { ImageSizes } from '@emma/mail/template/content-source.ts'
import { publicPath } from '../files/store-file.ts'

/** Images of one message that are weighed. */
const MOST_IMAGES = 500

/** Sizes of the files of the client, and of shared ones, whose public URLs stand in the sources of a message. */
export async function imageSizes(db: Db, clientId: number, sources: readonly string[]): Promise<ImageSizes> {
  const names = new Set<string>()
  for (const source of sources)
    for (const [, name = ''] of source.matchAll(/\/files\/\d{1,15}\/([\w-]{1,64})\.[a-z]{1,5}/g))
      names.add(name)
  const heavyBytes = FILE_LIMITS.heavyImageBytes
  if (names.size === 0) return { files: [], heavyBytes }
  const rows = await db
    .selectFrom('file')
    .select(['client_id', 'public_name', 'mime_type', 'name', 'size'])
    .where('client_id', 'in', [clientId, sharedStorage])
    .where('public_name', 'in', [...names].slice(0, MOST_IMAGES))
    .execute()
  return { files: rows.map(row => ({ path: publicPath(row), name: row.name, size: row.size })), heavyBytes }
}
