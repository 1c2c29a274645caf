/** Milliseconds for a role to finish its current work. */
export const DRAIN_LIMIT = 25_000
