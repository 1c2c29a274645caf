import type { ReactNode } from 'react'
import { type Demand, usePermission } from './use-session.ts'

interface CanProps {
  /** Permissions of which all, or any one, must be held. */
  demand: Demand
  children: ReactNode
  /** Shown without the permission; nothing by default. */
  otherwise?: ReactNode
}

/** Renders its children only with the permission. The API enforces permissions in any case. */
export function Can({ demand, children, otherwise = null }: CanProps) {
  return usePermission(demand) ? children : otherwise
}
