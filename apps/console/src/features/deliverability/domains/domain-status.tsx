import type { RecordOf } from '@emma/client/emma-client.ts'
import type { domain } from '@emma/contract/resources/domain.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type Domain = RecordOf<typeof domain>

const tones: Record<Domain['status'], Tone> = {
  new: 'neutral',
  pending: 'info',
  verified: 'positive',
  failed: 'caution',
  blocked: 'negative',
}

/** Badge of a domain's status. */
export function DomainStatus({ status }: { status: Domain['status'] }): ReactNode {
  const { t } = useTranslation()
  return <StatusBadge tone={tones[status]}>{t(`deliverability.domain.states.${status}`)}</StatusBadge>
}
