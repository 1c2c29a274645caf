import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { FILE_LIMITS, fileName } from '@emma/contract/file-storage.ts'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconArrowUp, IconFolder } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { type FileItem, folderOf } from './file-item.ts'
import { useFolder } from './use-files.ts'

interface NameDialogProps {
  title: string
  initial: string
  /** Rejections are shown at the field. */
  save: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for the name of a folder or file. */
export function NameDialog({ title, initial, save, onClose }: NameDialogProps): ReactNode {
  const { t } = useTranslation()
  const [name, setName] = useState(initial)
  const [error, setError] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  async function submit(): Promise<void> {
    if (!fileName.safeParse(name.trim()).success)
      return setError(t('content.files.name_rules', { max: FILE_LIMITS.nameCharacters }))
    setSaving(true)
    try {
      await save(name.trim())
      onClose()
    } catch (cause) {
      setError(errorText(cause))
      setSaving(false)
    }
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t('content.files.name')}
            value={name}
            error={error}
            onChange={event => {
              setName(event.currentTarget.value)
              setError(null)
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('content.files.cancel')}
            </Button>
            <Button type="submit" loading={isSaving}>
              {t('content.files.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
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
  const [error, setError] = useState<string | null>(null)
  const [isMoving, setMoving] = useState(false)
  const { data } = useFolder(folder)
  const folders = (data?.items ?? []).filter(
    each => each.isFolder && items.every(item => item.path !== each.path),
  )
  const isRoot = folder.split('/').filter(Boolean).length <= 1
  async function submit(): Promise<void> {
    setMoving(true)
    try {
      await move(folder)
      onClose()
    } catch (cause) {
      setError(errorText(cause))
      setMoving(false)
    }
  }
  return (
    <Dialog
      title={
        items.length === 1
          ? t('content.files.move_title', { name: first.name })
          : t('content.files.move_many', { count: items.length })
      }
      isOpen
      onClose={onClose}
    >
      <Stack>
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('content.files.cancel')}
          </Button>
          <Button loading={isMoving} disabled={folder === first.folder} onClick={() => void submit()}>
            {t('content.files.move_here')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
