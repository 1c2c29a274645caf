import { uploadState } from '@emma/contract/resources/dataupload.ts'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Upload } from './upload-calls.ts'

/** Names of the upload states by status number. */
export const uploadStates = ['uploaded', 'analysed', 'running', 'finished', 'failed', 'cancelled'] as const

/** Name of the displayed state: a finished test import is `tested`. */
export function stateName({ status, test }: Pick<Upload, 'status' | 'test'>): keyof typeof tones {
  if (test && status === uploadState.finished) return 'tested'
  return uploadStates[status] ?? 'uploaded'
}

/** Badge of an upload's state. */
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
