import { useMatch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Path and translated title of the current screen. */
export function useScreen(): { path: string; title: string } {
  const { t } = useTranslation()
  const path = useMatch({ strict: false, select: match => match.pathname.replace(/\/$/, '') })
  const title = useMatch({ strict: false, select: match => match.staticData.screen?.title })
  return { path, title: title === undefined ? '' : t(title) }
}

/** Path of the list that the record on this screen (`/edit/7`, `/edit/new`) belongs to. */
export function useListPath(): string {
  return useScreen().path.replace(/\/edit\/[^/]*$/, '')
}
