import type { ReactNode } from 'react'
import { useSocketMessage } from '../notifications/socket-provider.tsx'

/** Reloads texts when somebody has edited them (R295). */
export function TextNews(): ReactNode {
  useSocketMessage('TRANSLATIONS', () => {
    void import('./live-texts.ts').then(({ reloadTexts }) => reloadTexts())
  })
  return null
}
