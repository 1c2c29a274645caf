import { notify } from '@emma/ui/feedback/notify.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { switchClient } from './change-session.ts'
import { showError } from '../i18n/error-text.ts'
import { useSession } from './use-session.ts'

/** Switches to another client and shows a notification. */
export function useSwitchClient(): (id: number, name: string) => Promise<void> {
  const { t } = useTranslation()
  const { client } = useSession()
  const navigate = useNavigate()
  return async (id, name) => {
    if (id === client?.client_id) return
    try {
      await switchClient(id)
      // The record on the screen may belong to the previous client.
      await navigate({ to: '/dashboard' })
      notify.success(t('shell.client_switched', { name }))
    } catch (error) {
      showError(error)
    }
  }
}
