import type { ReactNode } from 'react'
import { useSocketMessage } from '../notifications/socket-provider.tsx'

/** Takes over texts that somebody edited (R295). */
export function TextNews(): ReactNode {
  useSocketMessage('TRANSLATIONS', () => {
    void import('./live-texts.ts').then(({ reloadTexts }) => reloadTexts())
  })
  return null
}
