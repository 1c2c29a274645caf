import { fault, reasonOf } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { readOpenMonths } from '../billing/open-months.ts'
import type { Campaign } from './campaign-operations.ts'
import type { BlockingFinding } from './finding.ts'

/** Warns if the campaign, with what was sent before, would exceed the limit of the month in which it starts. */
export async function checkSendVolume(
  db: Db,
  { client_id, startdate }: Campaign,
  recipients: number,
): Promise<BlockingFinding[]> {
  const current = (await readOpenMonths(db, client_id)).at(-1)
  if (!current || current.limit === null) return []
  const isLater = startdate !== null && Date.parse(startdate) >= Date.parse(current.ends_at)
  const sent = isLater ? 0 : current.total
  if (sent + recipients <= current.limit) return []
  const reason = reasonOf(fault('campaign.send_volume', { emails: recipients, limit: current.limit }))
  return [{ code: 'send_volume', field: 'list_id', ...reason, blocks: false }]
}
