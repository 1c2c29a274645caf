import type { ReactNode } from 'react'
import { BlacklistScreen } from './blacklist-screen.tsx'

/** Blacklists that apply to the campaigns that select them. */
export default function BlacklistsCampaign(): ReactNode {
  return <BlacklistScreen kind="campaign" />
}
