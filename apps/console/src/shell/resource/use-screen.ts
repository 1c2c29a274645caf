import { useMatch, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Path and translated title of the current screen. */
export function useScreen(): { path: string; title: string } {
  const { t } = useTranslation()
  const path = useMatch({ strict: false, select: match => match.pathname.replace(/\/$/, '') })
  const title = useMatch({ strict: false, select: match => match.staticData.screen?.title })
  return { path, title: title === undefined ? '' : t(title) }
}

/** Path of the list that the record on this screen (`/edit/7`, `/edit/new`, `/add`) belongs to. */
export function useListPath(): string {
  const area = useScreen().path.replace(/\/(?:add|edit\/[^/]*)$/, '')
  const { routesByPath } = useRouter()
  return `${area}/archive` in routesByPath ? `${area}/archive` : area
}

/** Path of a record's form, from that of its list or of another form: `/campaigns/archive` → `/campaigns/edit/7`. */
export function formPath(path: string, key: number | string): string {
  return `${path.replace(/\/(?:archive|edit\/[^/]*)$/, '')}/edit/${key}`
}
