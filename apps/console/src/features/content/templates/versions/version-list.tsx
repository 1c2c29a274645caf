import { queryKeys } from '@emma/client/query-keys.ts'
import {
  listMessageVersions,
  type MessageVersion,
  nameMessageVersion,
  restoreMessageVersion,
} from '@emma/contract/actions/message-versions.ts'
import { message } from '@emma/contract/resources/message.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Radio, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconHistory, IconTag } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../../shell/i18n/error-text.ts'
import { NameDialog } from '../../../../shell/layout/name-dialog.tsx'
import { queryClient } from '../../../../shell/resource/query-client.ts'
import { refresh } from '../../../../shell/resource/record-calls.ts'
import { api } from '../../../../shell/session/api.ts'
import { useRights } from '../../../../shell/session/use-rights.ts'
import { useClientId } from '../../../../shell/session/use-session.ts'
import { useVersionName } from './use-version-name.ts'
import { VersionComparison } from './version-comparison.tsx'
import classes from './versions.module.css'

interface VersionListProps {
  messageId: number
  hasChanges: boolean
  onRestored: () => void
}

/** The versions of a template, and the selected one compared with another. */
export function VersionList({ messageId, hasChanges, onRestored }: VersionListProps): ReactNode {
  const { t } = useTranslation()
  const nameOf = useVersionName()
  const { mayChange } = useRights(message)
  const { versions, error, retry, restore } = useVersions(messageId, onRestored)
  const [chosen, setChosen] = useState<number | null>(null)
  if (error) return <ErrorState error={error} onRetry={retry} />
  if (!versions) return <BlockSkeleton height={420} />
  const [current] = versions
  const version = versions.find(({ version_id }) => version_id === chosen) ?? versions[1] ?? current
  if (!current || !version)
    return (
      <EmptyState
        icon={<IconHistory />}
        title={t('content.versions.empty')}
        text={t('content.versions.empty_text')}
      />
    )
  const isCurrent = version === current
  return (
    <div className={classes.versions}>
      <Radio.Group
        className={classes.list}
        aria-label={t('content.versions.title')}
        value={String(version.version_id)}
        onChange={value => setChosen(Number(value))}
      >
        <Stack gap="sm">
          {versions.map((one, index) => (
            <Radio
              key={one.version_id}
              value={String(one.version_id)}
              label={nameOf(one)}
              description={
                <>
                  {index === 0 && <strong>{t('content.versions.current')} · </strong>}
                  <ChangedFields version={one} versions={versions} />
                </>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
      <div className={classes.comparison}>
        <VersionComparison
          messageId={messageId}
          version={version}
          before={versions[versions.indexOf(version) + 1] ?? null}
          current={isCurrent ? null : current}
          tools={
            mayChange && (
              <>
                <NameButton key={version.version_id} messageId={messageId} version={version} />
                {!isCurrent && (
                  <Button
                    size="compact-sm"
                    leftSection={<IconArrowBackUp size={14} />}
                    loading={restore.isPending}
                    disabled={hasChanges}
                    onClick={() => restore.mutate({ to: version, from: current })}
                  >
                    {t('content.versions.restore')}
                  </Button>
                )}
              </>
            )
          }
        />
        {mayChange && !isCurrent && hasChanges && (
          <Text size="sm" c="dimmed">
            {t('content.versions.unsaved')}
          </Text>
        )}
      </div>
    </div>
  )
}

/** Names a version, renames it, or takes its name away. */
function NameButton(props: { messageId: number; version: MessageVersion }): ReactNode {
  const { messageId, version } = props
  const { t } = useTranslation()
  const client_id = useClientId()
  const [isOpen, setOpen] = useState(false)
  const isNamed = version.name !== null
  const save = async (name: string | null) => {
    const params = { client_id, id: messageId, version_id: version.version_id }
    await api.call(nameMessageVersion, { params, body: { name } })
    await queryClient.invalidateQueries({ queryKey: versionsKey(messageId) })
  }
  const title = t(isNamed ? 'content.versions.rename' : 'content.versions.name')
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTag size={14} />}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      {isNamed && (
        <Button size="compact-sm" variant="subtle" onClick={() => void save(null).catch(showError)}>
          {t('content.versions.unname')}
        </Button>
      )}
      {isOpen && (
        <NameDialog
          title={title}
          label={t('content.versions.name_label')}
          initial={version.name ?? ''}
          hint={<Text size="sm">{t('content.versions.name_hint')}</Text>}
          save={save}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** What a version changed: "Subject, HTML", or the version that it restored. */
function ChangedFields(props: { version: MessageVersion; versions: readonly MessageVersion[] }): ReactNode {
  const { changed, restored_from } = props.version
  const { t } = useTranslation()
  const format = useFormat()
  if (restored_from !== null) {
    const source = props.versions.find(({ version_id }) => version_id === restored_from)
    if (!source) return t('content.versions.was_restored')
    return t('content.versions.restored_from', { time: format.dateTime(source.saved_at) })
  }
  if (changed === null) return t('content.versions.first')
  if (changed.length === 0) return t('content.versions.no_changes')
  return changed
    .map(field =>
      t(`content.message.fields.${field}` as 'content.message.fields.name', { defaultValue: field }),
    )
    .join(', ')
}

function versionsKey(messageId: number) {
  return [...queryKeys.record(message, messageId), 'versions']
}

function useVersions(messageId: number, onRestored: () => void) {
  const { t } = useTranslation()
  const format = useFormat()
  const client_id = useClientId()
  const { data, error, refetch } = useQuery({
    // Below the keys of the resource, so that a saved template fetches its versions again.
    queryKey: versionsKey(messageId),
    queryFn: ({ signal }) =>
      api.call(listMessageVersions, { params: { client_id, id: messageId }, ignoreCache: true, signal }),
    staleTime: 0,
  })
  const restoreTo = async (version_id: number) => {
    await api.call(restoreMessageVersion, { params: { client_id, id: messageId, version_id } })
    await refresh(message)
  }
  const undo = (version: MessageVersion) =>
    restoreTo(version.version_id).then(() => notify.success(t('content.versions.undone')), showError)
  const restore = useMutation({
    mutationFn: ({ to }: { to: MessageVersion; from: MessageVersion }) => restoreTo(to.version_id),
    onSuccess: (_, { to, from }) => {
      notify.success(t('content.versions.restored', { time: format.dateTime(to.saved_at) }), {
        action: { label: t('content.versions.undo'), run: () => void undo(from) },
      })
      onRestored()
    },
    onError: showError,
  })
  return { versions: data?.data, error: data ? null : error, retry: () => void refetch(), restore }
}
