import type { ReactNode } from 'react'
import { BlacklistImports } from './blacklist-imports.tsx'

/** Imports into blacklists of campaigns. */
export default function BlacklistImportsCampaign(): ReactNode {
  return <BlacklistImports kind="campaign" />
}
