import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface DocumentStateProps {
  document: { published: boolean; valid_from: string }
}

const tones = { draft: 'neutral', planned: 'info', published: 'positive' } satisfies Record<string, Tone>

/** Whether a version is a draft, is published, or will be in force later. */
export function DocumentState({ document }: DocumentStateProps): ReactNode {
  const { t } = useTranslation()
  const state = stateOf(document)
  return <StatusBadge tone={tones[state]}>{t(`billing.document.states.${state}`)}</StatusBadge>
}

function stateOf({ published, valid_from: first }: DocumentStateProps['document']): keyof typeof tones {
  if (!published) return 'draft'
  return first > new Date().toISOString().slice(0, 10) ? 'planned' : 'published'
}
