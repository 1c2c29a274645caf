import type { StoredNotification } from '@emma/contract/actions/notifications.ts'
import { notificationKinds } from '@emma/contract/actions/notifications.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import {
  notificationKey,
  notifications,
  notificationText,
} from '../../../shell/notifications/notifications.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { useClientId } from '../../../shell/session/use-session.ts'

const filterNames = ['unread', 'kind']
const icon = 16

/** List of the user's notifications of the last 90 days. */
export default function NotificationList(): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const [state, setState] = useListState({ filters: filterNames })
  const refresh = () => queryClient.invalidateQueries({ queryKey: notificationKey })
  const run = (work: Promise<unknown>) => work.then(refresh)

  async function clear(): Promise<void> {
    const isSure = await confirm({
      title: t('notifications.clear_title'),
      text: t('notifications.clear_text'),
      confirmLabel: t('notifications.clear'),
      danger: true,
    })
    if (isSure) await run(notifications.clear()).catch(showError)
  }

  async function open({ id, path, read_at }: StoredNotification): Promise<void> {
    if (read_at === null) await run(notifications.read([id])).catch(showError)
    if (path !== null) history.push(path)
  }

  return (
    <Page
      title={t('screens.notifications')}
      actions={
        <>
          <Button variant="default" leftSection={<IconTrash size={icon} />} onClick={() => void clear()}>
            {t('notifications.clear')}
          </Button>
          <Button
            leftSection={<IconCheck size={icon} />}
            onClick={() => void run(notifications.read()).catch(showError)}
          >
            {t('notifications.read_all')}
          </Button>
        </>
      }
    >
      <ListScreen
        name="notification"
        label={t('screens.notifications')}
        columns={useColumns()}
        rowKey={row => row.id}
        rowLabel={row => notificationText(row)}
        queryKey={[...notificationKey, clientId]}
        load={async ({ limit = 25, offset = 0, search, filters = {} }, options) => {
          const kind = notificationKinds.find(known => known === String(filters.kind))
          const wanted = {
            ...(search ? { search } : {}),
            ...(kind ? { kind } : {}),
            ...(String(filters.unread) === 'true' ? { unread: true } : {}),
          }
          const [data, { total }] = await Promise.all([
            notifications.find({ limit, offset, ...wanted }, options?.signal),
            notifications.count(wanted, options?.signal),
          ])
          return { data, pagination: { limit, offset, total } }
        }}
        state={state}
        onStateChange={setState}
        filters={useFilters()}
        onOpen={row => void open(row)}
        rowActions={row => [
          ...(row.read_at === null
            ? [
                {
                  id: 'read',
                  label: t('notifications.mark_read'),
                  icon: <IconCheck size={icon} />,
                  run: () => run(notifications.read([row.id])),
                },
              ]
            : []),
          {
            id: 'delete',
            label: t('action.delete'),
            icon: <IconTrash size={icon} />,
            danger: true,
            run: () => run(notifications.delete(row.id)),
          },
        ]}
        bulkActions={[
          {
            id: 'delete',
            label: t('action.delete'),
            icon: <IconTrash size={icon} />,
            danger: true,
            run: row => run(notifications.delete(row.id)),
          },
        ]}
        empty={{ title: t('notifications.none'), text: t('notifications.none_text') }}
      />
    </Page>
  )
}

const tones: Record<StoredNotification['kind'], Tone> = {
  success: 'positive',
  info: 'info',
  warning: 'caution',
  danger: 'negative',
}

function useColumns(): Column<StoredNotification>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      id: 'text',
      header: t('notifications.text'),
      cell: row => notificationText(row),
      text: row => notificationText(row),
    },
    {
      id: 'kind',
      header: t('notifications.kind'),
      width: 140,
      cell: row => <StatusBadge tone={tones[row.kind]}>{t(`notifications.kinds.${row.kind}`)}</StatusBadge>,
    },
    {
      id: 'read_at',
      header: t('notifications.unread'),
      width: 100,
      cell: row =>
        row.read_at === null && <StatusBadge tone="active">{t('notifications.unread')}</StatusBadge>,
    },
    {
      id: 'created_at',
      header: t('notifications.at'),
      width: 170,
      cell: row => format.dateTime(row.created_at),
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [
    { name: 'unread', label: t('notifications.only_unread'), kind: 'flag', pinned: true },
    {
      name: 'kind',
      label: t('notifications.kind'),
      kind: 'choice',
      options: notificationKinds.map(kind => ({ value: kind, label: t(`notifications.kinds.${kind}`) })),
      pinned: true,
    },
  ]
}
