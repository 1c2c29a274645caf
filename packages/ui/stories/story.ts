import type { ReactNode } from 'react'

/** One piece of the kit in one of its states, for looking at while building. */
export interface Story {
  title: string
  render: () => ReactNode
}
