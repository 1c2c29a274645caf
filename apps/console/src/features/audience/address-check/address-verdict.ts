import type { checkAddress } from '@emma/contract/actions/address-check.ts'
import type { Answer } from '@emma/contract/define-action.ts'

export type AddressCheck = Answer<typeof checkAddress>

/** `paused` and `may` name the datasources whose campaigns reach the address when nothing else stops them. */
export interface AddressVerdict {
  kind: 'suppressed' | 'nowhere' | 'stopped' | 'paused' | 'may'
  datasources: readonly string[]
}

/** Whether campaigns of the client reach an address. Lists of single campaigns stop those campaigns alone. */
export function verdictOf({ members, entries, paused_until }: AddressCheck): AddressVerdict {
  const isSuppressed = entries.some(entry => entry.in_force && entry.kind !== 'campaign')
  const open = members.filter(member => member.reason === null)
  const datasources = open.map(member => member.datasource)
  if (isSuppressed) return { kind: 'suppressed', datasources: [] }
  if (members.length === 0) return { kind: 'nowhere', datasources: [] }
  if (open.length === 0) return { kind: 'stopped', datasources: [] }
  return { kind: paused_until === null ? 'may' : 'paused', datasources }
}
