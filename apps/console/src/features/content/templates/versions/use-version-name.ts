import type { MessageVersion } from '@emma/contract/actions/message-versions.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useTranslation } from 'react-i18next'

/** Names versions by the name that they were given, time and user. */
export function useVersionName(): (version: MessageVersion) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ name, saved_at, user }) =>
    [name, format.dateTime(saved_at), user || t('content.versions.system')]
      .filter(part => part !== null)
      .join(' · ')
}
