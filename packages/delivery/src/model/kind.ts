/** Transactional mail does not wait behind bulk mail. */
export type Kind = 'transactional' | 'bulk'

export function kindOf({ isTransactional }: { isTransactional: boolean }): Kind {
  return isTransactional ? 'transactional' : 'bulk'
}
