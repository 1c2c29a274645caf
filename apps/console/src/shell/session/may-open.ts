import type { Permission } from '@emma/contract/permissions.ts'
import type { SessionState } from './session-store.ts'
import { holds, isSuperadmin } from './use-session.ts'
import type { ScreenInfo } from '../layout/screen-info.ts'

/** True if the user holds all permissions of the screen and, for the system area, is a superadmin (R145, T2). */
export function mayOpen(screen: ScreenInfo, session: SessionState): boolean {
  if (screen.superadmin && !isSuperadmin(session)) return false
  return missingRights(screen, session).length === 0
}

/** The screen's permissions that the user lacks. */
export function missingRights({ permissions = [] }: ScreenInfo, session: SessionState): Permission[] {
  return permissions.filter(one => !holds(session, { all: [one] }))
}

/**
 * True if menus and palette offer the screen: it is built, may be opened, and the user has the get permission of its
 * entity (T2).
 */
export function isOffered(screen: ScreenInfo, session: SessionState): boolean {
  const shown: Permission[] = screen.entity ? [`${screen.entity}:get`] : []
  return screen.isBuilt && mayOpen(screen, session) && holds(session, { all: shown })
}
