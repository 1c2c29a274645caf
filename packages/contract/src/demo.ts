/**
 * Whether a request of the demo goes to the server (R307), in the console and on the server: session requests, the
 * confirmation of the data-processing agreement, generated subjects, and validators.
 *
 * @param path of the API, without host and query
 */
export function isDemoBypass(method: string, path: string): boolean {
  if (path.startsWith('/auth/') || /[:/]validat(?:e|or)\b/.test(path)) return true
  return method === 'POST' && /(?:\/bav-confirm|\/message:generate-subject)\/?$/.test(path)
}
