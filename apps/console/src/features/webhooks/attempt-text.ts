import type { WebhookAttempt } from '@emma/contract/actions/webhooks.ts'
import { useTranslation } from 'react-i18next'

const faults = ['timeout', 'refused_address', 'unresolved', 'refused', 'tls']

/** What came of an attempt, in words: the status, or why there was none. */
export function useAttemptText(): (attempt: WebhookAttempt) => string {
  const { t } = useTranslation()
  return ({ status, error }) => {
    if (status === null) return t(`webhooks.faults.${faults.find(fault => fault === error) ?? 'broken'}`)
    if (status >= 300 && status < 400) return t('webhooks.faults.redirect', { status })
    return t('webhooks.log.answered', { status })
  }
}
