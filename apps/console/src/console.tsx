import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { router } from './router.ts'

/** Renders the router with all routes of the console. */
export default function Console(): ReactNode {
  return <RouterProvider router={router} />
}

/** Loads the code and data of the current route, so that the first render is complete. */
export function prepare(): Promise<void> {
  return router.load()
}
