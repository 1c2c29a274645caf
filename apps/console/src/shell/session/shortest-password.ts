/** Characters a new password needs at least; the server says the same. */
export const shortestPassword = 10
