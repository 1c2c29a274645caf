import type { campaign } from '@emma/contract/resources/campaign.ts'
import type { Db } from '@emma/db/connection.ts'
import { findPictures } from '../content/mail-pictures.ts'
import type { PictureSubject } from '../content/request-pictures.ts'
import type { Operations } from '../resource/operations.ts'
import type { Campaign } from './campaign-operations.ts'

type Shown = Pick<Campaign, 'client_id' | 'message_id' | 'screenshot'>

/**
 * Operations whose campaigns have the picture of their template as it is now (R020).
 * @param base URL that the tracking role is reached at
 */
export function withPictures(
  operations: Operations<typeof campaign>,
  base: string,
): Operations<typeof campaign> {
  async function show<R extends Shown>(db: Db, campaigns: readonly R[]): Promise<R[]> {
    const mails = campaigns.flatMap(({ client_id: clientId, message_id: id }) =>
      id === null ? [] : [{ clientId, subject: subjectOf(id) }],
    )
    const pictures = await findPictures(db, base, mails)
    return campaigns.map(row => ({
      ...row,
      screenshot: pictures.get(subjectOf(row.message_id ?? 0))?.url_small ?? null,
    }))
  }

  return {
    ...operations,
    async list(db, actor, scope, query) {
      const page = await operations.list(db, actor, scope, query)
      return { ...page, data: await show(db, page.data) }
    },
    async find(db, actor, scope, id) {
      const record = await operations.find(db, actor, scope, id)
      const [shown = record] = await show(db, [record])
      return shown
    },
  }
}

function subjectOf(id: number): PictureSubject {
  return `message/${id}`
}
