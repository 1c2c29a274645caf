import { restoreFile } from '@emma/contract/actions/files.ts'
import { acceptedExtensions, FILE_LIMITS, sharedSegment } from '@emma/contract/file-storage.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { BulkBar } from '@emma/ui/list/bulk-bar.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { UploadBox } from '@emma/ui/upload/upload-box.tsx'
import { Button, SegmentedControl, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconFolderPlus,
  IconFolderSymlink,
  IconPencil,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { api, fileStorage } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'
import { bulkActions, type Moved } from './bulk-actions.tsx'
import { FileDetails } from './file-details.tsx'
import { FileNameDialog, MoveDialog } from './file-dialogs.tsx'
import type { FileItem } from './file-item.ts'
import { FileList } from './file-list.tsx'
import { ImageEditor } from './image-editor.tsx'
import classes from './files.module.css'
import { FolderPath } from './folder-path.tsx'
import { useFileSelection } from './use-file-selection.ts'
import { refreshFiles, useFolder, useFoundFiles } from './use-files.ts'

const areas = ['own', 'shared', 'bin'] as const
type Area = (typeof areas)[number]

type Open =
  | { kind: 'folder' }
  | { kind: 'rename' | 'details' | 'edit'; item: FileItem }
  | {
      kind: 'move'
      items: readonly [FileItem, ...FileItem[]]
      take: (folder: string) => Promise<void>
      cancel?: () => void
    }

/** The client's files, the shared ones and the bin (`?area=`), by folder (`?folder=/news/`), as cards or table. */
export default function FileManager(): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const { area, folder, isTable, go } = useFileSearch()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  const [open, setOpen] = useState<Open | null>(null)
  const may = {
    create: usePermission({ all: ['CloudStorage:post'] }),
    change: usePermission({ all: ['CloudStorage:patch'] }),
    remove: usePermission({ all: ['CloudStorage:delete'] }),
  }
  const root = `/${area === 'shared' ? sharedSegment : clientId}`
  const path = `${root}${folder}`
  const isFolder = area === 'shared' || (area === 'own' && asked === '')
  const listed = useFolder(path, isFolder)
  const found = useFoundFiles(asked, area === 'bin', !isFolder)
  const { data, error, refetch } = isFolder ? listed : found
  const isWritable = area !== 'bin' && (data?.isWritable ?? false)

  const { selected, select, clear } = useFileSelection(`${area} ${folder}`)

  function actionsOf(item: FileItem): RowAction[] {
    if (area === 'bin')
      return may.remove ? [action('restore', <IconArrowBackUp size={16} />, () => restore(item))] : []
    if (!isWritable) return []
    return [
      ...(may.change
        ? [
            action('rename', <IconPencil size={16} />, () => setOpen({ kind: 'rename', item })),
            action('move', <IconFolderSymlink size={16} />, () =>
              setOpen({ kind: 'move', items: [item], take: folder => moveInto(item, folder) }),
            ),
          ]
        : []),
      ...(may.remove ? [action('delete', <IconTrash size={16} />, () => remove(item))] : []),
    ]
  }

  function action(id: string, icon: ReactNode, run: () => Promise<void> | void): RowAction {
    return { id, label: t(`content.files.${id}`), icon, run: async () => run() }
  }

  async function restore(item: FileItem): Promise<void> {
    await api.call(restoreFile, { params: { id: item.id } })
    await refreshFiles()
    notify.success(t('content.files.restored', { name: item.name }))
  }

  async function remove(item: FileItem): Promise<void> {
    const isSure = await confirm({
      title: t('content.files.delete_title', { name: item.name }),
      text: t('content.files.delete_text', { days: FILE_LIMITS.binDays }),
      confirmLabel: t('content.files.delete'),
      danger: true,
    })
    if (!isSure) return
    await fileStorage.remove(item.path)
    await refreshFiles()
  }

  const askFolder = (items: Moved): Promise<string | null> =>
    new Promise(resolve => {
      const take = async (folder: string) => resolve(folder)
      setOpen({ kind: 'move', items, take, cancel: () => resolve(null) })
    })
  const bulk = bulkActions(t, { area, isWritable, may, askFolder })
  return (
    <Page
      title={t('screens.files')}
      actions={
        <>
          {area !== 'bin' && (
            <SegmentedControl
              aria-label={t('content.message.view')}
              value={isTable ? 'table' : 'gallery'}
              data={[
                { value: 'gallery', label: t('content.message.gallery') },
                { value: 'table', label: t('content.message.table') },
              ]}
              onChange={view => go({ view })}
            />
          )}
          {isWritable && isFolder && may.create && (
            <Button leftSection={<IconFolderPlus size={16} />} onClick={() => setOpen({ kind: 'folder' })}>
              {t('content.files.new_folder')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={t('content.files.area')}
          value={area}
          data={areas.map(value => ({ value, label: t(`content.files.areas.${value}`) }))}
          onChange={next => go({ area: next, folder: '/' })}
        />
        {area !== 'shared' && (
          <TextInput
            className={classes.search ?? ''}
            aria-label={t('content.files.search')}
            placeholder={t('content.files.search')}
            leftSection={<IconSearch size={16} />}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
          />
        )}
      </div>
      {isWritable && isFolder && may.create && (
        <UploadBox
          accept={acceptedExtensions}
          maxSize={FILE_LIMITS.fileBytes}
          isMultiple
          takesPaste
          hint={t('content.files.upload_hint')}
          upload={(file, options) => fileStorage.upload(path, file, options)}
          onUploaded={() => void refreshFiles()}
        />
      )}
      {isFolder && <FolderPath folder={folder} onOpen={next => go({ folder: next })} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={180} radius="lg" />}
      {data && data.items.length === 0 && <NoFiles area={area} isSearch={!isFolder && asked !== ''} />}
      <BulkBar
        rows={(data?.items ?? []).filter(({ id }) => selected.has(id))}
        actions={bulk}
        rowLabel={item => item.name}
        onClear={clear}
        onDone={() => {
          clear()
          void refreshFiles()
        }}
      />
      {data && data.items.length > 0 && (
        <FileList
          items={data.items}
          isTable={isTable || area === 'bin'}
          actions={actionsOf}
          {...(bulk.length > 0 ? { selected, onSelect: select } : {})}
          onOpen={item => {
            if (!item.isFolder) return setOpen({ kind: 'details', item })
            if (area === 'bin') return undefined
            setSearch('')
            return go({ folder: item.path.slice(root.length) })
          }}
        />
      )}
      {open?.kind === 'folder' && (
        <FileNameDialog
          title={t('content.files.new_folder')}
          initial=""
          save={async name => {
            await fileStorage.createFolder(`${path}${name}/`)
            await refreshFiles()
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'rename' && (
        <FileNameDialog
          title={t('content.files.rename')}
          initial={open.item.name}
          save={name => move(open.item, `${open.item.folder}${name}`)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'move' && (
        <MoveDialog
          items={open.items}
          move={open.take}
          onClose={() => {
            open.cancel?.()
            setOpen(null)
          }}
        />
      )}
      {open?.kind === 'details' && (
        <FileDetails
          item={open.item}
          isOwn={area === 'own'}
          isWritable={isWritable}
          onEdit={
            area === 'own' && isImage(open.item) ? () => setOpen({ kind: 'edit', item: open.item }) : null
          }
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'edit' && isImage(open.item) && (
        <ImageEditor image={open.item} onClose={() => setOpen(null)} />
      )}
    </Page>
  )
}

function isImage(item: FileItem): item is FileItem & { width: number; height: number; url: string } {
  return item.thumbnail !== null && item.width !== null && item.height !== null && item.url !== null
}

function moveInto(item: FileItem, folder: string): Promise<void> {
  return move(item, `${folder}${item.name}`)
}

async function move(item: FileItem, to: string): Promise<void> {
  await fileStorage.move(item.path, to)
  await refreshFiles()
}

function NoFiles({ area, isSearch }: { area: Area; isSearch: boolean }): ReactNode {
  const { t } = useTranslation()
  if (isSearch) return <EmptyState title={t('content.files.nothing_found')} />
  if (area === 'bin') return <EmptyState title={t('content.files.bin_empty')} />
  return <EmptyState title={t('content.files.empty_title')} text={t('content.files.empty_text')} />
}

/** State of the screen in the URL. */
function useFileSearch() {
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const area: Area = areas.find(each => each === search.area) ?? 'own'
  const folder = typeof search.folder === 'string' && search.folder.startsWith('/') ? search.folder : '/'
  return {
    area,
    folder,
    isTable: search.view === 'table',
    go: (next: { area?: string; folder?: string; view?: string }): void => {
      const merged = { area, folder, view: search.view === 'table' ? 'table' : 'gallery', ...next }
      void navigate({
        to: '.',
        search: {
          ...(merged.area === 'own' ? {} : { area: merged.area }),
          ...(merged.folder === '/' ? {} : { folder: merged.folder }),
          ...(merged.view === 'table' ? { view: 'table' } : {}),
        },
      })
    },
  }
}
