import type { Permission } from '@emma/contract/permissions.ts'
import type { SessionState } from './session-store.ts'
import { holds, isSuperadmin } from './use-session.ts'
import type { ScreenInfo } from '../layout/screen-info.ts'

/** May this person open the screen? All listed rights; the system area only for superadmins (R145, T2). */
export function mayOpen(screen: ScreenInfo, session: SessionState): boolean {
  if (screen.superadmin && !isSuperadmin(session)) return false
  return missingRights(screen, session).length === 0
}

/** Of the rights a screen needs, those that this person lacks. */
export function missingRights({ permissions = [] }: ScreenInfo, session: SessionState): Permission[] {
  return permissions.filter(one => !holds(session, { all: [one] }))
}

/**
 * Is the screen offered in menus and in the palette? Not without the get right of what it shows (T2), and not before it is
 * built: its address says so itself.
 */
export function isOffered(screen: ScreenInfo, session: SessionState): boolean {
  const shown: Permission[] = screen.entity ? [`${screen.entity}:get`] : []
  return screen.isBuilt && mayOpen(screen, session) && holds(session, { all: shown })
}
