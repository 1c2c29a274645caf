/**
 * Calls of the demo that reach the server all the same (R307), in the console as on the server: the session's own, the
 * confirmation of the data-processing agreement, subjects made by the server, and validators.
 *
 * @param path of the API, without its host and query
 */
export function isDemoBypass(method: string, path: string): boolean {
  if (path.startsWith('/auth/') || /[:/]validat(?:e|or)\b/.test(path)) return true
  return method === 'POST' && /(?:\/bav-confirm|\/message:generate-subject)\/?$/.test(path)
}
