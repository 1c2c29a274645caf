import { useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** What the screen at work is called: its heading until the record's own name is there. */
export function useScreenTitle(): string {
  const { t } = useTranslation()
  const title = useMatches().at(-1)?.staticData.screen?.title
  return title === undefined ? '' : t(title)
}
