import { sharedStorage } from '@emma/contract/file-storage.ts'
import { findServed } from '@emma/core/files/read-files.ts'
import { contentKey, type FileStorage } from '@emma/core/files/store-file.ts'
import type { Db } from '@emma/db/connection.ts'
import { readDesignImage } from '../catalog/read-designs.ts'
import { collectBytes } from '../network/collect-bytes.ts'
import { PICTURE_LIMITS } from '../network/limits.ts'
import type { ReadMailImage } from './draw-mail.ts'

/**
 * Reads the images that a client's mail may show in its picture: its own files, shared files, and those of the
 * catalogue, by their paths on any host. Nothing is fetched.
 */
export function createMailImages(db: Db, storage: FileStorage, clientId: number): ReadMailImage {
  let left: number = PICTURE_LIMITS.imagesBytes
  return async url => {
    const path = URL.parse(url)?.pathname ?? ''
    const [, design = ''] = /^\/designs\/([\w-]{1,60}\.png)$/.exec(path) ?? []
    const designImage = readDesignImage(design)
    if (designImage) return { type: 'image/png', bytes: designImage }
    const [, owner = '', name = ''] = /^\/files\/(\d{1,15})\/([\w-]{22})\.\w{3,4}$/.exec(path) ?? []
    const isAllowed = Number(owner) === clientId || Number(owner) === sharedStorage
    const file = name !== '' && isAllowed ? await findServed(db, Number(owner), name) : null
    if (!file?.mime_type?.startsWith('image/')) return null
    const stream = await storage.get(contentKey(file))
    if (stream === null) return null
    const { bytes } = await collectBytes(chunksOf(stream), left)
    left -= bytes.length
    return { type: file.mime_type, bytes }
  }
}

async function* chunksOf(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk)
}
