import { compileContent } from '../template/compile-content.ts'
import type { ContentSource } from '../template/content-source.ts'
import type { LinkRow } from './link-table.ts'

/** Fields of a stored message that tracking changes (R202, R203). */
export interface Tracking {
  is_tracked: boolean
  urls: LinkRow[]
}

/**
 * Returns the link table that makes a message tracked (R202). Existing rows preserve name and `is_active`. The
 * numbers are those of the same content compiled for a campaign.
 * @throws ContentError if the content cannot be compiled
 */
export async function trackMessage(source: Omit<ContentSource, 'isTracked'>): Promise<Tracking> {
  const { links } = await compileContent({ ...source, isTracked: true })
  return { is_tracked: true, urls: links }
}

/** Returns the fields of an untracked message (R203): no rows. Its text was never changed. */
export function untrackMessage(): Tracking {
  return { is_tracked: false, urls: [] }
}
