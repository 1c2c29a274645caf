import type { WebhookAttempt } from '@emma/contract/actions/webhooks.ts'
import { useTranslation } from 'react-i18next'

const faults = ['timeout', 'refused_address', 'unresolved', 'refused', 'tls']

/** Returns a function that describes an attempt's result: HTTP status, or the error. */
export function useAttemptText(): (attempt: WebhookAttempt) => string {
  const { t } = useTranslation()
  return ({ status, error }) => {
    if (status === null) return t(`webhooks.faults.${faults.find(fault => fault === error) ?? 'broken'}`)
    if (status >= 300 && status < 400) return t('webhooks.faults.redirect', { status })
    return t('webhooks.log.answered', { status })
  }
}
