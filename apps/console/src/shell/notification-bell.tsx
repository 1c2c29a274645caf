import { notify } from '@emma/ui/feedback/notify.tsx'
import { useFormat } from '@emma/ui/words.tsx'
import {
  ActionIcon,
  Button,
  Indicator,
  Popover,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './popup-list.module.css'
import { useSocketMessage } from './socket-provider.tsx'

interface Notice {
  key: string
  text: string
  path: string | null
  at: Date
}

const keptNotices = 50

/** The bell: what the server had to say since the console was opened, the newest first. */
export function NotificationBell(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { history } = useRouter()
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const [unread, setUnread] = useState(0)

  function add(text: string, path: string | null | undefined): void {
    const notice = { key: crypto.randomUUID(), text, path: path ?? null, at: new Date() }
    setNotices(current => [notice, ...current].slice(0, keptNotices))
    setUnread(current => current + 1)
  }

  useSocketMessage('NOTIFICATION', ({ kind, text, path }) => {
    notify[kind](text)
    add(text, path)
  })
  useSocketMessage('ALERT', ({ text, path }) => {
    notify.warning(text)
    add(text, path)
  })
  useSocketMessage('ERROR', ({ message }) => {
    notify.danger(message, { title: t('errors.generic_message') })
    add(message, null)
  })
  useSocketMessage('DOWNLOAD_READY', ({ name }) => add(t('shell.download_ready', { name }), '/downloads'))

  const label = unread > 0 ? t('shell.notifications_new', { count: unread }) : t('shell.notifications')
  return (
    <Popover width={360} position="bottom-end" onOpen={() => setUnread(0)}>
      <Tooltip label={t('shell.notifications')}>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
            <Indicator disabled={unread === 0} label={unread} size={15} color="brand">
              <IconBell size={18} stroke={1.6} />
            </Indicator>
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown p="xs">
        {notices.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {t('shell.notifications_none')}
          </Text>
        )}
        <ScrollArea.Autosize mah={380}>
          <Stack gap={2}>
            {notices.map(({ key, text, path, at }) => (
              <UnstyledButton
                key={key}
                className={classes.row}
                disabled={path === null}
                onClick={() => path !== null && history.push(path)}
              >
                <span className={classes.text}>{text}</span>
                <span className={classes.note}>{format.time(at)}</span>
              </UnstyledButton>
            ))}
          </Stack>
        </ScrollArea.Autosize>
        {notices.length > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" mt="xs" onClick={() => setNotices([])}>
            {t('shell.notifications_clear')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
