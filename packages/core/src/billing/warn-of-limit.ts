import { volumeWarning } from '@emma/contract/actions/send-volume.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { addNotificationOnce, MONTH_HOURS } from '../notifications/add-notification-once.ts'
import { readOpenMonths } from './open-months.ts'

/** Notifies users with access to the send volume once a month when 90 % of its limit is reached. */
export async function warnOfLimits(db: Db): Promise<void> {
  const limited = await db
    .selectFrom('client')
    .select('client_id')
    .where('send_volume_limit', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { client_id } of limited) await warnOfLimit(db, client_id)
}

async function warnOfLimit(db: Db, clientId: number): Promise<void> {
  const month = (await readOpenMonths(db, clientId)).at(-1)
  if (!month || month.limit === null || month.total < month.limit * volumeWarning) return
  const { invoice_month, limit } = month
  const percent = Math.floor((month.total / limit) * 100)
  await transaction(db, tx =>
    addNotificationOnce(
      tx,
      {
        clientId,
        permission: 'SendVolume:get',
        kind: 'warning',
        code: 'send_quota',
        details: { percent, month: invoice_month, limit },
        text: `${percent} % of the ${limit} emails of ${invoice_month} have been sent.`,
        path: '/billing/sendvolume',
      },
      { month: invoice_month },
      MONTH_HOURS,
    ),
  )
}
