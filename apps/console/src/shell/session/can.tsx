import type { ReactNode } from 'react'
import { type Demand, usePermission } from './use-session.ts'

interface CanProps {
  /** All of these rights, or any one of them. */
  demand: Demand
  children: ReactNode
  /** Shown to those without the right; nothing by default. */
  otherwise?: ReactNode
}

/** Shows its children only to people with the right; the API enforces it in any case. */
export function Can({ demand, children, otherwise = null }: CanProps) {
  return usePermission(demand) ? children : otherwise
}
