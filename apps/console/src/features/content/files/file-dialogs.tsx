import { FILE_LIMITS, fileName } from '@emma/contract/file-storage.ts'
import { Button, Stack } from '@mantine/core'
import { IconArrowUp, IconFolder } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../shell/layout/form-dialog.tsx'
import { NameDialog } from '../../../shell/layout/name-dialog.tsx'
import { type FileItem, folderOf } from './file-item.ts'
import { useFolder } from './use-files.ts'

interface FileNameDialogProps {
  title: string
  initial: string
  save: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for the name of a folder or file. */
export function FileNameDialog(props: FileNameDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <NameDialog
      {...props}
      label={t('content.files.name')}
      check={name =>
        fileName.safeParse(name).success
          ? null
          : t('content.files.name_rules', { max: FILE_LIMITS.nameCharacters })
      }
    />
  )
}

interface MoveDialogProps {
  /** Of one folder. */
  items: readonly [FileItem, ...FileItem[]]
  move: (folder: string) => Promise<void>
  onClose: () => void
}

/** Asks for the folder that entries are moved to. */
export function MoveDialog({ items, move, onClose }: MoveDialogProps): ReactNode {
  const { t } = useTranslation()
  const [first] = items
  const [folder, setFolder] = useState(first.folder)
  const { data } = useFolder(folder)
  const folders = (data?.items ?? []).filter(
    each => each.isFolder && items.every(item => item.path !== each.path),
  )
  const isRoot = folder.split('/').filter(Boolean).length <= 1
  return (
    <FormDialog
      title={
        items.length === 1
          ? t('content.files.move_title', { name: first.name })
          : t('content.files.move_many', { count: items.length })
      }
      submitLabel={t('content.files.move_here')}
      canSubmit={folder !== first.folder}
      submit={() => move(folder)}
      onClose={onClose}
    >
      {error => (
        <>
          <div>{t('content.files.move_to', { folder: folder.replace(/^\/[^/]+/, '') })}</div>
          <Stack gap={4} align="flex-start">
            {!isRoot && (
              <Button
                variant="subtle"
                leftSection={<IconArrowUp size={16} />}
                onClick={() => setFolder(folderOf(folder))}
              >
                {t('content.files.up')}
              </Button>
            )}
            {folders.map(each => (
              <Button
                key={each.path}
                variant="subtle"
                leftSection={<IconFolder size={16} />}
                onClick={() => setFolder(each.path)}
              >
                {each.name}
              </Button>
            ))}
          </Stack>
          {error !== null && <div role="alert">{error}</div>}
        </>
      )}
    </FormDialog>
  )
}
