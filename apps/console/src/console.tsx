import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { router } from './router.ts'

/** Every screen behind its address. */
export default function Console(): ReactNode {
  return <RouterProvider router={router} />
}

/** Fetches what the address at work shows, so that nothing empty comes before it. */
export function prepare(): Promise<void> {
  return router.load()
}
