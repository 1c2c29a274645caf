import type { ReactNode } from 'react'

/** A component in one of its states. */
export interface Story {
  title: string
  render: () => ReactNode
}
