import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Fields that decide whether a member gets email. */
export interface MemberState {
  active: boolean
  dateunjoin: string | null
  hardbounced_at: string | null
  complained_at: string | null
}

/** Badge of whether a member gets email, and if not, why. */
export function MemberBadge({ member }: { member: MemberState }): ReactNode {
  const { t } = useTranslation()
  const state = stateOf(member)
  return <StatusBadge tone={tones[state]}>{t(`audience.member.states.${state}`)}</StatusBadge>
}

export function stateOf(member: MemberState): keyof typeof tones {
  if (member.dateunjoin) return 'unsubscribed'
  if (member.hardbounced_at) return 'hardbounced'
  if (member.complained_at) return 'complained'
  return member.active ? 'active' : 'unconfirmed'
}

const tones = {
  active: 'positive',
  unsubscribed: 'neutral',
  hardbounced: 'negative',
  complained: 'negative',
  unconfirmed: 'caution',
} as const satisfies Record<string, Tone>
