import { type StoredFile } from '@emma/contract/actions/files.ts'
import { folderType, type StorageMeta } from '@emma/contract/file-storage.ts'
import { type FilePath, toWirePath } from '@emma/core/files/file-path.ts'
import type { FileRow } from '@emma/core/files/file-tree.ts'
import { publicPath } from '@emma/core/files/store-file.ts'

/** Base of the public URLs, and whether the caller may change the files. */
export interface Presentation {
  base: string
  permissions: 'ro' | 'rw'
}

/** Metadata of an entry in the FSP protocol. */
export function presentMeta(row: FileRow, { base, permissions }: Presentation, count = 0): StorageMeta {
  const { client_id: clientId, folder, name, is_folder: isFolder } = row
  const common = {
    name,
    path: toWirePath({ clientId, folder, name, isFolder }),
    'last-modified': Date.parse(row.updated_at),
    size: row.size,
    permissions,
  }
  if (isFolder)
    return { 'mime-type': folderType, ...common, 'item-count': count, extra: { file_id: row.file_id } }
  const thumbnail = thumbnailUrl(row, base)
  return {
    'mime-type': row.mime_type ?? '',
    ...common,
    'public-url': base + publicPath(row),
    ...(thumbnail === null ? {} : { thumbnail }),
    extra: { file_id: row.file_id, alt: row.alt, width: row.width, height: row.height },
  }
}

/** Metadata of a root, which has no row. */
export function presentRoot(path: FilePath, permissions: 'ro' | 'rw', count: number): StorageMeta {
  const wirePath = toWirePath(path)
  return {
    'mime-type': folderType,
    name: wirePath.replaceAll('/', ''),
    path: wirePath,
    'last-modified': 0,
    size: 0,
    permissions,
    'item-count': count,
    extra: {},
  }
}

/** An entry for search and bin. */
export function presentFile(row: FileRow, base: string): StoredFile {
  const { file_id, folder, name, is_folder, mime_type, size, width, height, alt, updated_at, deleted_at } =
    row
  const fields = {
    file_id,
    folder,
    name,
    is_folder,
    mime_type,
    size,
    width,
    height,
    alt,
    updated_at,
    deleted_at,
  }
  return {
    ...fields,
    public_url: is_folder ? null : base + publicPath(row),
    thumbnail: thumbnailUrl(row, base),
  }
}

function thumbnailUrl(row: FileRow, base: string): string | null {
  return row.has_thumbnail ? `${base}/files/${row.client_id}/${row.public_name}.thumb.webp` : null
}
