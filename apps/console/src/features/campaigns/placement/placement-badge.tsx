import type { IpciResult } from '@emma/contract/actions/placement.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const tones = {
  inbox: 'positive',
  promotions: 'caution',
  other: 'caution',
  spam: 'negative',
  missing: 'negative',
} as const

/** Where a mail arrived. `isOver`: the check has ended, so that what is not found was not readable. */
export function PlacementBadge({
  placement,
  isOver,
}: Pick<IpciResult, 'placement'> & { isOver: boolean }): ReactNode {
  const { t } = useTranslation()
  if (placement === null)
    return (
      <StatusBadge tone="neutral">{t(`campaigns.placement.${isOver ? 'unread' : 'awaited'}`)}</StatusBadge>
    )
  return <StatusBadge tone={tones[placement]}>{t(`campaigns.placement.places.${placement}`)}</StatusBadge>
}
