import { uploadState } from '@emma/contract/resources/dataupload.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** The state of an upload, by its number. */
export const uploadStates = ['uploaded', 'analysed', 'running', 'finished', 'failed', 'cancelled'] as const

/** Where an upload stands. */
export function UploadBadge({ status }: { status: number }): ReactNode {
  const { t } = useTranslation()
  const name = uploadStates[status] ?? 'uploaded'
  return (
    <StatusBadge tone={tones[name]} isLive={status === uploadState.running}>
      {t(`audience.dataupload.states.${name}`)}
    </StatusBadge>
  )
}

const tones = {
  uploaded: 'neutral',
  analysed: 'caution',
  running: 'active',
  finished: 'positive',
  failed: 'negative',
  cancelled: 'neutral',
} as const satisfies Record<(typeof uploadStates)[number], Tone>
