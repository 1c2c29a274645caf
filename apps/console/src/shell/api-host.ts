/**
 * Where the API lives: an override of this browser session wins (a developer's machine against another
 * server), else the host the page came from (R298, T1).
 */
export function apiHost(): string {
  return sessionStorage.getItem('apiHost') ?? `${location.origin}/api`
}

/** Address of the socket beside the API, with the token it needs. */
export function socketAddress(token: string): string {
  return `${apiHost().replace(/^http/, 'ws')}/socket?token=${encodeURIComponent(token)}`
}
