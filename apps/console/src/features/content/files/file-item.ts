import type { StoredFile } from '@emma/contract/actions/files.ts'
import { folderType, type StorageMeta } from '@emma/contract/file-storage.ts'

/** A file or folder as shown. */
export interface FileItem {
  id: number
  name: string
  /** From the root: `/12/news/logo.png`. */
  path: string
  /** Path of its folder. */
  folder: string
  isFolder: boolean
  /** MIME type. */
  type: string
  size: number
  count: number
  width: number | null
  height: number | null
  alt: string | null
  url: string | null
  thumbnail: string | null
  changed: string
}

export function itemOfMeta(meta: StorageMeta): FileItem {
  const { path, name, size, extra } = meta
  const isFolder = meta['mime-type'] === folderType
  return {
    id: extra.file_id ?? 0,
    name,
    path,
    folder: folderOf(path),
    isFolder,
    type: meta['mime-type'],
    size,
    count: meta['item-count'] ?? 0,
    width: extra.width ?? null,
    height: extra.height ?? null,
    alt: extra.alt ?? null,
    url: meta['public-url'] ?? null,
    thumbnail: meta.thumbnail ?? null,
    changed: new Date(meta['last-modified']).toISOString(),
  }
}

/** An entry of the search or the bin. */
export function itemOfFile(file: StoredFile, clientId: number): FileItem {
  const { file_id: id, name, size, width, height, alt, thumbnail, is_folder: isFolder } = file
  const folder = `/${clientId}${file.folder}`
  const path = `${folder}${name}${isFolder ? '/' : ''}`
  const type = file.mime_type ?? folderType
  const common = { id, name, path, folder, isFolder, type, size, count: 0, width, height, alt, thumbnail }
  return { ...common, url: file.public_url, changed: file.updated_at }
}

/** `/12/news/logo.png` → `/12/news/`. */
export function folderOf(path: string): string {
  return path.replace(/[^/]+\/?$/, '')
}
