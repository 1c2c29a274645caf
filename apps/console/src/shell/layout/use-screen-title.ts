import { useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Translated title of the current screen: the heading until the record's name is loaded. */
export function useScreenTitle(): string {
  const { t } = useTranslation()
  const title = useMatches().at(-1)?.staticData.screen?.title
  return title === undefined ? '' : t(title)
}
