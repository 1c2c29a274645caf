import type { MailState } from '@emma/contract/actions/transactional.ts'
import type { Tone } from '@emma/ui/layout/status-badge.tsx'

export const mailTones: Record<MailState, Tone> = {
  scheduled: 'info',
  waiting: 'caution',
  pending: 'active',
  sent: 'positive',
  deferred: 'caution',
  rejected: 'negative',
  unknown: 'caution',
  skipped: 'neutral',
  cancelled: 'neutral',
}
