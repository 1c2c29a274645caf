import type { RecordOf } from '@emma/client/emma-client.ts'
import type { webhook } from '@emma/contract/resources/webhook.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type Webhook = RecordOf<typeof webhook>

/** Badge of a webhook's state: active, failing or disabled. */
export function WebhookState({ record }: { record: Webhook }): ReactNode {
  const { t } = useTranslation()
  if (!record.active && record.disabled_reason !== null)
    return <StatusBadge tone="negative">{t('webhooks.states.disabled')}</StatusBadge>
  if (!record.active) return <StatusBadge tone="neutral">{t('state.inactive')}</StatusBadge>
  if (record.failing_since !== null)
    return <StatusBadge tone="caution">{t('webhooks.states.failing')}</StatusBadge>
  return <StatusBadge tone="positive">{t('state.active')}</StatusBadge>
}
