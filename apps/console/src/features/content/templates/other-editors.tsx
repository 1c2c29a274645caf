import { queryKeys } from '@emma/client/query-keys.ts'
import { editorTimes, reportEditor } from '@emma/contract/actions/message-editors.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Group, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'

const windowKey = 'emma.window'

/** Of this tab: it is the same window after a reload. */
const windowId = readWindowId()

/** Tells who else has the template open, and tells them of this window. */
export function OtherEditors({ messageId }: { messageId: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const others = useOtherEditors(messageId)
  if (others.length === 0) return null
  const names = others.filter(other => !other.is_self).map(({ name }) => name)
  return (
    <Group gap={6} wrap="nowrap" role="status">
      <IconUsers size={16} aria-hidden />
      <Text size="sm">
        {names.length > 0
          ? t('content.editors.others', { count: names.length, names: format.list(names) })
          : t('content.editors.self')}
      </Text>
    </Group>
  )
}

function useOtherEditors(messageId: number) {
  const client = useClientId()
  const mayChange = usePermission({ all: ['EmmaMessage:patch'] })
  const { data } = useQuery({
    queryKey: queryKeys.action(reportEditor, { messageId }),
    queryFn: ({ signal }) => report(client, messageId, false, signal),
    enabled: mayChange,
    refetchInterval: editorTimes.report,
    refetchIntervalInBackground: true,
    // Who else is there is no reason to disturb anybody.
    retry: false,
    gcTime: 0,
  })
  useEffect(() => {
    if (!mayChange) return
    // A window that cannot report its end counts as closed a little later.
    const close = () => void report(client, messageId, true).catch(() => {})
    // React unmounts nothing when a tab is closed or loads another page.
    window.addEventListener('pagehide', close)
    return () => {
      window.removeEventListener('pagehide', close)
      close()
    }
  }, [client, messageId, mayChange])
  return data?.others ?? []
}

function report(client_id: number, id: number, closes: boolean, signal?: AbortSignal) {
  return api.call(reportEditor, {
    params: { client_id, id },
    body: { window_id: windowId, closes },
    keepalive: closes,
    ...(signal ? { signal } : {}),
  })
}

function readWindowId(): string {
  const fresh = crypto.randomUUID()
  try {
    const kept = sessionStorage.getItem(windowKey)
    if (kept !== null) return kept
    sessionStorage.setItem(windowKey, fresh)
  } catch {
    // Blocked storage: a reload is another window for a moment.
  }
  return fresh
}
