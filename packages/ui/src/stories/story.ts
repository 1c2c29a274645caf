import type { ReactNode } from 'react'

/** One piece of the kit in its states, for looking at while building. */
export interface Story {
  title: string
  render: () => ReactNode
}
