import type { ReactNode } from 'react'
import { BlacklistScreen } from './blacklist-screen.tsx'

/** Lists that campaigns name to leave addresses out. */
export default function BlacklistsCampaign(): ReactNode {
  return <BlacklistScreen kind="campaign" />
}
