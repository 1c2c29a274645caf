import type { ReactNode } from 'react'
import { BlacklistImports } from './blacklist-imports.tsx'

/** Imports into the client's blacklists. */
export default function BlacklistImportsGlobal(): ReactNode {
  return <BlacklistImports kind="client" />
}
