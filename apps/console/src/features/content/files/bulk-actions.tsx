import { restoreFile } from '@emma/contract/actions/files.ts'
import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import type { BulkAction } from '@emma/ui/list/list-parts.ts'
import { IconArrowBackUp, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { api, fileStorage } from '../../../shell/session/api.ts'
import type { FileItem } from './file-item.ts'

/** Entries of one folder that are moved together. */
export type Moved = readonly [FileItem, ...FileItem[]]

interface BulkContext {
  area: 'own' | 'shared' | 'bin'
  isWritable: boolean
  may: { change: boolean; remove: boolean }
  /** Asks for the folder to move to; null cancels. */
  askFolder: (items: Moved) => Promise<string | null>
}

/** Actions on the selected files and folders. Deleting and moving can be undone. */
export function bulkActions(t: TFunction, context: BulkContext): BulkAction<FileItem>[] {
  const { area, isWritable, may, askFolder } = context
  const restore = (item: FileItem) => api.call(restoreFile, { params: { id: item.id } })
  if (area === 'bin') {
    const icon = <IconArrowBackUp size={16} />
    return may.remove ? [{ id: 'restore', label: t('content.files.restore'), icon, run: restore }] : []
  }
  if (!isWritable) return []
  let target = ''
  const moving: BulkAction<FileItem> = {
    id: 'move',
    label: t('content.files.move'),
    icon: <IconFolderSymlink size={16} />,
    async prepare([first, ...others]) {
      const folder = first ? await askFolder([first, ...others]) : null
      target = folder ?? ''
      return folder !== null
    },
    run: item => fileStorage.move(item.path, pathIn(target, item)),
    undo: item => fileStorage.move(pathIn(target, item), item.path),
  }
  const deleting: BulkAction<FileItem> = {
    id: 'delete',
    label: t('content.files.delete'),
    icon: <IconTrash size={16} />,
    danger: true,
    confirm: items => ({
      title: t('content.files.delete_many', { count: items.length }),
      text: t('content.files.delete_text', { days: FILE_LIMITS.binDays }),
      confirmLabel: t('content.files.delete'),
      danger: true,
    }),
    run: item => fileStorage.remove(item.path),
    ...(area === 'own' ? { undo: restore } : {}),
  }
  return [...(may.change ? [moving] : []), ...(may.remove ? [deleting] : [])]
}

function pathIn(folder: string, { name, isFolder }: FileItem): string {
  return `${folder}${name}${isFolder ? '/' : ''}`
}
