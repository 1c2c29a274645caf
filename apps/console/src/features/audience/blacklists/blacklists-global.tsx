import type { ReactNode } from 'react'
import { BlacklistScreen } from './blacklist-screen.tsx'

/** Lists that are good for every campaign of the client. */
export default function BlacklistsGlobal(): ReactNode {
  return <BlacklistScreen kind="client" />
}
