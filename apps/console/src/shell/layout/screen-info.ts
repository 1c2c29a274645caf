import type { Entity, Permission } from '@emma/contract/permissions.ts'
import type { ReactNode } from 'react'

/** What a route says about its screen. */
export interface ScreenOptions {
  /** Translation key of the screen's name: window title, navigation, command palette. */
  title: string
  /** The rights the route needs, all of them (R145). None: open to any session. */
  permissions?: readonly Permission[]
  /** The entity it shows: without its get right the screen is not offered in menus (T2). */
  entity?: Entity
  /** Only superadmins (T2). */
  superadmin?: boolean
  /** The lazy module whose default export is the screen. Without one the screen says that it is not built yet. */
  load?: () => Promise<{ default: () => ReactNode }>
}

/** What the frame reads off a matched route. */
export interface ScreenInfo extends Omit<ScreenOptions, 'load'> {
  /** There is a screen behind the address, not only the page that says that it is not built yet. */
  isBuilt: boolean
  /** Whose texts it needs; `ofFeature` says it. */
  feature?: string
}
