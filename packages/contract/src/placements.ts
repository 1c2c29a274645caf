/** Where a mail of a placement test arrived. `missing`: nowhere within `missingAfterMinutes`. */
export const placements = ['inbox', 'promotions', 'spam', 'other', 'missing'] as const
export type Placement = (typeof placements)[number]

/** Minutes after sending from which a mail that no folder has is missing (domain.md 2C). */
export const missingAfterMinutes = 60

/** Seconds between two searches of a mailbox while a mail is awaited (domain.md 2C). */
export const pollSeconds = 30

/** Header by which the mail of a placement test is found; its value is the test's token. */
export const placementHeader = 'X-EMMA-IPCI'

/** Most mailboxes of one placement test. */
export const mostMailboxes = 50
