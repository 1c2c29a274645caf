import type { StoredNotification } from '@emma/contract/actions/notifications.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import {
  ActionIcon,
  Button,
  Group,
  Indicator,
  Popover,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { IconBell, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, showError } from '../i18n/error-text.ts'
import { isInView } from './is-in-view.ts'
import { notificationKey, notifications, notificationText } from './notifications.ts'
import classes from '../layout/popup-list.module.css'
import { useSocketMessage } from './socket-provider.tsx'
import { useClientId, useSession } from '../session/use-session.ts'

/** Number of notifications in the popover; the screen lists all. */
const shown = 20
/** Highest count shown; larger ones read `99+`. */
const mostCounted = 99

/** The bell with the number of unread notifications; its popover lists the newest first. */
export function NotificationBell(): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const refresh = useRefresh()
  const unread = useUnread()
  useNews(refresh)
  const label = unread > 0 ? t('shell.notifications_new', { count: unread }) : t('shell.notifications')
  return (
    <Popover
      width="min(380px, calc(100vw - 16px))"
      position="bottom-end"
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
    >
      <Tooltip label={t('shell.notifications')} disabled={isOpen}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={label}
            onClick={() => setOpen(!isOpen)}
          >
            <Indicator
              disabled={unread === 0}
              label={unread > mostCounted ? `${mostCounted}+` : unread}
              size={15}
              color="brand"
            >
              <IconBell size={18} stroke={1.6} />
            </Indicator>
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown p="xs">
        {isOpen && <LatestNotifications refresh={refresh} onClose={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}

interface LatestProps {
  refresh: () => Promise<void>
  onClose: () => void
}

function LatestNotifications({ refresh, onClose }: LatestProps): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const { data, error } = useQuery({
    queryKey: [...notificationKey, clientId, 'latest'],
    queryFn: ({ signal }) => notifications.find({ limit: shown }, signal),
  })
  const run = (work: Promise<unknown>) => void work.then(refresh, showError)
  return (
    <>
      {error && (
        <Text size="sm" c="red" p="xs" role="alert">
          {errorText(error)}
        </Text>
      )}
      {!error && !data && <TextSkeleton lines={3} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed" p="xs">
          {t('shell.notifications_none')}
        </Text>
      )}
      <ScrollArea.Autosize mah={400}>
        <Stack gap={2} component="ul" m={0} p={0} className={classes.list}>
          {data?.map(notice => (
            <Notice
              key={notice.id}
              notice={notice}
              onOpen={() => {
                if (notice.read_at === null) run(notifications.read([notice.id]))
                onClose()
              }}
              onDelete={() => run(notifications.delete(notice.id))}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      <Group gap={4} mt="xs">
        <Button component={Link} to="/notifications" variant="subtle" size="compact-sm" onClick={onClose}>
          {t('shell.notifications_all')}
        </Button>
        {data?.some(({ read_at }) => read_at === null) && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => run(notifications.read())}>
            {t('shell.notifications_read')}
          </Button>
        )}
        {data && data.length > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => run(notifications.clear())}>
            {t('shell.notifications_clear')}
          </Button>
        )}
      </Group>
    </>
  )
}

interface NoticeProps {
  notice: StoredNotification
  onOpen: () => void
  onDelete: () => void
}

function Notice({ notice, onOpen, onDelete }: NoticeProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { history } = useRouter()
  const text = notificationText(notice)
  const { path } = notice
  return (
    <li className={classes.entry}>
      <UnstyledButton
        className={classes.row}
        data-kind={notice.kind}
        data-unread={notice.read_at === null || undefined}
        onClick={() => {
          onOpen()
          if (path !== null) history.push(path)
        }}
      >
        <span className={classes.text}>{text}</span>
        <span className={classes.note}>{format.dateTime(notice.created_at)}</span>
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('shell.notifications_delete', { text })}
        onClick={onDelete}
      >
        <IconX size={14} />
      </ActionIcon>
    </li>
  )
}

function useUnread(): number {
  const clientId = useClientId()
  const { data } = useQuery({
    queryKey: [...notificationKey, clientId, 'count'],
    queryFn: ({ signal }) => notifications.count({}, signal),
  })
  return data?.unread ?? 0
}

function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: notificationKey })
}

/**
 * Shows notifications of the socket as toasts and refreshes the bell's list and count. Good news about the record on
 * the page has no toast: the page shows it, and the toast would cover the figures that have just changed.
 */
function useNews(refresh: () => Promise<void>): void {
  const { t } = useTranslation()
  const { claims } = useSession()
  const { history } = useRouter()
  useSocketMessage('NOTIFICATION', news => {
    const isKnown = news.known_to === claims?.sub.id
    const isGood = news.kind === 'success' || news.kind === 'info'
    if (!isKnown && !(isGood && isInView(news.path, history.location.pathname)))
      notify[news.kind](notificationText(news))
    void refresh()
  })
  useSocketMessage('ALERT', ({ text }) => {
    notify.warning(text)
    void refresh()
  })
  useSocketMessage('ERROR', ({ message }) => {
    notify.danger(message, { title: t('errors.generic_message') })
  })
  useSocketMessage('DOWNLOAD_READY', ({ name }) => {
    notify.success(t('shell.download_ready', { name }))
    void refresh()
  })
}
