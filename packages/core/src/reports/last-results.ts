import type { lastResults as contract } from '@emma/contract/actions/reports.ts'
import { campaignType, transactionalTypes } from '@emma/contract/campaign-states.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readFigures } from './read-figures.ts'

/** The campaigns of a client that sent the templates last, with their results; tests and process mails do not count. */
export async function lastResults(
  db: Db,
  clientId: number,
  messageIds: readonly number[],
): Promise<Answer<typeof contract>> {
  const notSent = [campaignType.test, ...transactionalTypes]
  const { rows } = await sql<{ message_id: number; campagne_id: number; name: string; started_at: string }>`
    select distinct on (message_id) message_id, campagne_id, name, started_at from campaign
    where client_id = ${clientId} and message_id = any(${messageIds}::bigint[]) and started_at is not null
      and ctype <> all(${notSent}::int[]) and deleted_at is null
    order by message_id, started_at desc, campagne_id desc`.execute(db)
  const figures = await readFigures(
    db,
    clientId,
    rows.map(row => row.campagne_id),
  )
  return figures.flatMap(({ campagne_id, nb_send, nb_delivered, nb_open, nb_click }, at) => {
    const row = rows[at]
    return row ? [{ ...row, campagne_id, nb_send, nb_delivered, nb_open, nb_click }] : []
  })
}
