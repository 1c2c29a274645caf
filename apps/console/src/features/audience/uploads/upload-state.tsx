import { uploadState } from '@emma/contract/resources/dataupload.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Upload } from './upload-calls.ts'

/** The state of an upload, by its number. */
export const uploadStates = ['uploaded', 'analysed', 'running', 'finished', 'failed', 'cancelled'] as const

/** The name of the state that is shown: a finished test is no import. */
export function stateName({ status, test }: Pick<Upload, 'status' | 'test'>): keyof typeof tones {
  if (test && status === uploadState.finished) return 'tested'
  return uploadStates[status] ?? 'uploaded'
}

/** Where an upload stands. */
export function UploadBadge({ upload }: { upload: Pick<Upload, 'status' | 'test'> }): ReactNode {
  const { t } = useTranslation()
  const name = stateName(upload)
  return (
    <StatusBadge tone={tones[name]} isLive={upload.status === uploadState.running}>
      {t(`audience.dataupload.states.${name}`)}
    </StatusBadge>
  )
}

const tones = {
  uploaded: 'neutral',
  analysed: 'caution',
  running: 'active',
  finished: 'positive',
  tested: 'caution',
  failed: 'negative',
  cancelled: 'neutral',
} as const satisfies Record<(typeof uploadStates)[number] | 'tested', Tone>
