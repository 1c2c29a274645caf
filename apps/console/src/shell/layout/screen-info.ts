import type { Entity, Permission } from '@emma/contract/permissions.ts'
import type { ReactNode } from 'react'

/** Options of a screen's route. */
export interface ScreenOptions {
  /** Translation key of the screen's title: window title, navigation, command palette. */
  title: string
  /** Permissions that the route requires, all of them (R145). None: open to any session. */
  permissions?: readonly Permission[]
  /** The entity that the screen shows: without its get permission, menus do not offer the screen (T2). */
  entity?: Entity
  /** Restricted to superadmins (T2). */
  superadmin?: boolean
  /** Imports the module whose default export is the screen. Without it, the screen says that it is not built yet. */
  load?: () => Promise<{ default: () => ReactNode }>
}

/** Static data of a route, read by the shell. */
export interface ScreenInfo extends Omit<ScreenOptions, 'load'> {
  /** Whether the route has a screen of its own, not only the "not built" page. */
  isBuilt: boolean
  /** Feature whose texts the screen needs; set by `ofFeature`. */
  feature?: string
}
