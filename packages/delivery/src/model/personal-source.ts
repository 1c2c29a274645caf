import { type FeedSource, findFeedSecret } from '@emma/core/content/feeds.ts'
import { originOf } from '@emma/core/content/placeholder-operations.ts'
import type { Db } from '@emma/db/connection.ts'
import type { PersonalSource } from './campaign-snapshot.ts'

/** A source with the secret of its header, encrypted. */
export type SealedSource = PersonalSource & Pick<FeedSource, 'secret'>

/** Reads the secrets of a campaign's sources. A placeholder that has another host now gives none. */
export function sealedSources(
  db: Db,
  clientId: number,
  sources: readonly PersonalSource[] = [],
): Promise<SealedSource[]> {
  return Promise.all(
    sources.map(async source => {
      const stored = source.header === null ? null : await findFeedSecret(db, clientId, source.moduleId)
      const isSame = stored !== null && originOf(stored.url) === originOf(source.url)
      return { ...source, secret: isSame ? stored.secret : null }
    }),
  )
}
