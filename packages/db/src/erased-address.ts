/** Replaces the address of an erased person in the ledger; never sent to. */
export const ERASED_ADDRESS = 'erased@erased.invalid'
