import { acceptedExtensions, FILE_LIMITS, sharedSegment } from '@emma/contract/file-storage.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { UploadBox } from '@emma/ui/upload/upload-box.tsx'
import { SegmentedControl, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fileStorage } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'
import { type FileItem, itemOfMeta } from './file-item.ts'
import { FileList } from './file-list.tsx'
import classes from './files.module.css'
import { FolderPath } from './folder-path.tsx'
import { refreshFiles, useFolder, useFoundFiles } from './use-files.ts'

const areas = ['own', 'shared'] as const

interface FilePickerProps {
  /** Default: images. */
  kind?: 'image' | 'any'
  onPick: (file: FileItem) => void
  onClose: () => void
}

/** Dialog that picks an image or file of the file manager: by folder, by search, or a new one by upload, drop or paste. */
export function FilePicker({ kind = 'image', onPick, onClose }: FilePickerProps): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const mayCreate = usePermission({ all: ['CloudStorage:post'] })
  const [area, setArea] = useState<(typeof areas)[number]>('own')
  const [folder, setFolder] = useState('/')
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  const root = `/${area === 'shared' ? sharedSegment : clientId}`
  const path = `${root}${folder}`
  const isFolder = area === 'shared' || asked === ''
  const listed = useFolder(path, isFolder)
  const found = useFoundFiles(asked, false, !isFolder)
  const { data, error, refetch } = isFolder ? listed : found
  const items = (data?.items ?? []).filter(item => kind === 'any' || item.isFolder || item.thumbnail !== null)
  const pick = (file: FileItem) => {
    onPick(file)
    onClose()
  }
  return (
    <Dialog
      title={t(kind === 'any' ? 'content.message.attachments.choose' : 'content.files.choose_image')}
      isOpen
      onClose={onClose}
      size="xl"
    >
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={t('content.files.area')}
          value={area}
          data={areas.map(value => ({ value, label: t(`content.files.areas.${value}`) }))}
          onChange={value => {
            setArea(areas.find(one => one === value) ?? 'own')
            setFolder('/')
          }}
        />
        {area === 'own' && (
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
      {isFolder && mayCreate && data?.isWritable && (
        <UploadBox
          accept={acceptedExtensions.filter(extension => kind === 'any' || extension !== '.pdf')}
          maxSize={FILE_LIMITS.fileBytes}
          takesPaste
          upload={(file, options) => fileStorage.upload(path, file, options)}
          onUploaded={meta => {
            void refreshFiles()
            pick(itemOfMeta(meta))
          }}
        />
      )}
      {isFolder && <FolderPath folder={folder} onOpen={setFolder} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={180} radius="lg" />}
      {data && items.length === 0 && <EmptyState title={t('content.files.nothing_found')} />}
      <FileList
        items={items}
        isTable={false}
        actions={() => []}
        onOpen={item => {
          if (!item.isFolder) return pick(item)
          setSearch('')
          return setFolder(item.path.slice(root.length))
        }}
      />
    </Dialog>
  )
}
