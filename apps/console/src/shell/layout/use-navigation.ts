import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isOffered } from '../session/may-open.ts'
import { type NavigationArea, type NavigationEntry, navigation } from './navigation.ts'
import { useSession } from '../session/use-session.ts'
import type { ScreenInfo } from './screen-info.ts'

export interface OfferedEntry extends NavigationEntry {
  /** Translation key of the screen's title. */
  title: string
}

export interface OfferedArea extends Omit<NavigationArea, 'entries'> {
  entries: readonly OfferedEntry[]
}

/** The navigation entries that the user may open; empty areas are omitted. */
export function useNavigation(): readonly OfferedArea[] {
  const { routesByPath } = useRouter()
  const session = useSession()
  return useMemo(() => {
    const screens: Record<string, { options: { staticData?: { screen?: ScreenInfo } } }> = routesByPath
    const offered = ({ to, ...entry }: NavigationEntry): OfferedEntry[] => {
      const screen = screens[to]?.options.staticData?.screen
      return screen && isOffered(screen, session) ? [{ ...entry, to, title: screen.title }] : []
    }
    return navigation
      .map(area => ({ ...area, entries: area.entries.flatMap(offered) }))
      .filter(area => area.entries.length > 0)
  }, [routesByPath, session])
}
