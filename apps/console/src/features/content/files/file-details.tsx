import { queryKeys } from '@emma/client/query-keys.ts'
import { describeFile, fileUsage } from '@emma/contract/actions/files.ts'
import { acceptedExtensions } from '@emma/contract/file-storage.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { Anchor, Button, FileButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { api, fileStorage } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { FileItem } from './file-item.ts'
import { FilePicture } from './file-list.tsx'
import classes from './files.module.css'
import { refreshFiles } from './use-files.ts'

interface FileDetailsProps {
  item: FileItem
  /** Shared files have no alternative texts here, and their usage is not known. */
  isOwn: boolean
  isWritable: boolean
  /** Null: the file cannot be edited. */
  onEdit: (() => void) | null
  onClose: () => void
}

/** A file with its public URL, alternative text, and the templates that use it. */
export function FileDetails({ item, isOwn, isWritable, onEdit, onClose }: FileDetailsProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [error, setError] = useState<string | null>(null)
  const mayReplace = usePermission({ all: ['CloudStorage:post'] }) && isWritable
  async function replace(file: File | null): Promise<void> {
    if (file === null) return
    try {
      await fileStorage.upload(item.path, file, { strategy: 'replace' })
      await refreshFiles()
      onClose()
    } catch (cause) {
      setError(errorText(cause))
    }
  }
  return (
    <DetailsDrawer title={item.name} isOpen onClose={onClose} size="md">
      <Stack>
        <FilePicture item={item} className={classes.large ?? ''} />
        <Text size="sm">
          {format.bytes(item.size)}
          {item.width !== null && ` · ${item.width} × ${item.height}`} · {format.relative(item.changed)}
        </Text>
        {item.url !== null && (
          <Group gap="xs" wrap="nowrap">
            <Anchor href={item.url} target="_blank" rel="noreferrer" size="sm" className={classes.name}>
              {item.url}
            </Anchor>
            <CopyButton value={item.url} label={t('content.files.copy_url')} />
          </Group>
        )}
        {isOwn && item.thumbnail !== null && <AltText item={item} />}
        {onEdit && mayReplace && (
          <div>
            <Button variant="default" onClick={onEdit}>
              {t('content.files.edit')}
            </Button>
          </div>
        )}
        {mayReplace && (
          <div>
            <FileButton accept={acceptedExtensions.join(',')} onChange={file => void replace(file)}>
              {props => (
                <Button variant="default" {...props}>
                  {t('content.files.replace')}
                </Button>
              )}
            </FileButton>
            <Text size="xs" c="dimmed" mt={4}>
              {t('content.files.replace_hint')}
            </Text>
            {error !== null && <div role="alert">{error}</div>}
          </div>
        )}
        {isOwn && <Usage item={item} />}
      </Stack>
    </DetailsDrawer>
  )
}

function AltText({ item }: { item: FileItem }): ReactNode {
  const { t } = useTranslation()
  const mayChange = usePermission({ all: ['CloudStorage:patch'] })
  const [alt, setAlt] = useState(item.alt ?? '')
  const [saved, setSaved] = useState(item.alt ?? '')
  const [error, setError] = useState<string | null>(null)
  async function save(): Promise<void> {
    try {
      await api.call(describeFile, { params: { id: item.id }, body: { alt: alt.trim() || null } })
      setSaved(alt)
      await refreshFiles()
    } catch (cause) {
      setError(errorText(cause))
    }
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextInput
        label={t('content.files.alt')}
        description={t('content.files.alt_hint')}
        maxLength={500}
        value={alt}
        readOnly={!mayChange}
        error={error}
        onChange={event => setAlt(event.currentTarget.value)}
      />
      {alt !== saved && (
        <Button type="submit" mt="xs" size="xs">
          {t('content.files.save')}
        </Button>
      )}
    </form>
  )
}

function Usage({ item }: { item: FileItem }): ReactNode {
  const { t } = useTranslation()
  const mayRead = usePermission({ all: ['EmmaMessage:get'] })
  const { data } = useQuery({
    queryKey: queryKeys.action(fileUsage, { id: item.id }),
    queryFn: ({ signal }) => api.call(fileUsage, { params: { id: item.id }, signal, ignoreCache: true }),
    enabled: mayRead,
  })
  if (!data) return null
  return (
    <div>
      <Title order={3} size="h5">
        {t('content.files.used_in')}
      </Title>
      {data.templates.length === 0 && <Text size="sm">{t('content.files.not_used')}</Text>}
      {data.templates.map(({ message_id: id, name }) => (
        <div key={id}>
          <Link to="/templates/edit/$id" params={{ id: String(id) }}>
            {name}
          </Link>
        </div>
      ))}
    </div>
  )
}
