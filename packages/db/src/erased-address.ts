/** Stands in the ledger for the address of somebody who was erased; nobody is written to there. */
export const ERASED_ADDRESS = 'erased@erased.invalid'
