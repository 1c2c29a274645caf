import type { RecordOf } from '@emma/client/emma-client.ts'
import type { alert } from '@emma/contract/resources/alert.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type AlertRecord = RecordOf<typeof alert>

const tones = { unknown: 'neutral', ok: 'positive', firing: 'negative' } as const

/** Badge: whether an alert fires. */
export function AlertState({ record: { active, state } }: { record: AlertRecord }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.alert.states.${key}`)
  if (!active) return <StatusBadge tone="neutral">{text('off')}</StatusBadge>
  return <StatusBadge tone={tones[state]}>{text(state)}</StatusBadge>
}
