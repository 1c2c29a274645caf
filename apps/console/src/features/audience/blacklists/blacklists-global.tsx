import type { ReactNode } from 'react'
import { BlacklistScreen } from './blacklist-screen.tsx'

/** Blacklists that apply to every campaign of the client. */
export default function BlacklistsGlobal(): ReactNode {
  return <BlacklistScreen kind="client" />
}
