/**
 * True if the record of a path is on the current page: `/campaigns/reports/7` while `/campaigns/monitoring/7` is shown.
 *
 * @param path page that a notification is about, with its query and hash
 * @param pathname of the current page
 */
export function isInView(path: string | null | undefined, pathname: string): boolean {
  if (!path) return false
  const [about, shown] = [recordOf(path), recordOf(pathname)]
  return about !== null && about === shown
}

/** Area and id of a record's page; null for pages of no record. */
function recordOf(path: string): string | null {
  const [, area, , id] = path.replace(/[?#].*$/, '').split('/')
  return area && id && /^\d+$/.test(id) ? `${area}/${id}` : null
}
