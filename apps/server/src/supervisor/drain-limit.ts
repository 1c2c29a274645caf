/** Milliseconds a role may take to finish what it has in hand. */
export const DRAIN_LIMIT = 25_000
