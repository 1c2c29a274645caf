import { compileContent } from '../template/compile-content.ts'
import type { ContentSource } from '../template/content-source.ts'
import type { LinkRow } from './link-table.ts'

/** What tracking changes in a stored message (R202, R203). */
export interface Tracking {
  is_tracked: boolean
  urls: LinkRow[]
}

/**
 * R202: the link table of a message, with which it becomes tracked. Rows it had before keep name and `is_active`.
 * The numbers are those that compiling the same content for a campaign gives.
 * @throws ContentError when the content cannot be compiled
 */
export async function trackMessage(source: Omit<ContentSource, 'isTracked'>): Promise<Tracking> {
  const { links } = await compileContent({ ...source, isTracked: true })
  return { is_tracked: true, urls: links }
}

/** R203: the message as it was before: no rows, nothing counted. Its text never changed, so nothing else reverts. */
export function untrackMessage(): Tracking {
  return { is_tracked: false, urls: [] }
}
