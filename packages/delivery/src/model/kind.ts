/** Transactional mail does not wait behind bulk mail. */
export type Kind = 'transactional' | 'bulk'
