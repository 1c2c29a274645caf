/** Minimum length of a new password; the server enforces the same. */
export const shortestPassword = 10
