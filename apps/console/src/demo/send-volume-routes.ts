import {
  downloadSendVolume,
  listSendVolume,
  type MonthVolume,
  sendVolumeColumns,
} from '@emma/contract/actions/send-volume.ts'
import { csvText } from '@emma/contract/csv.ts'
import { type DemoRoute, type DemoState, onAction, pageOf } from './demo-call.ts'
import type { DemoSendVolume } from './demo-records.ts'

export const sendVolumeRoutes: readonly DemoRoute[] = [
  ...onAction(listSendVolume, async ({ query }, state) =>
    pageOf(await readMonths(state, query), query.limit, query.offset),
  ),
  ...onAction(downloadSendVolume, async ({ query }, state) => {
    const rows = (await readMonths(state, query)).map(month => sendVolumeColumns.map(column => month[column]))
    return `\ufeff${csvText([sendVolumeColumns, ...rows], ',')}`
  }),
]

/** Newest first. */
async function readMonths(
  { tables }: DemoState,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<MonthVolume[]> {
  const months = await tables<DemoSendVolume>('send_volume').all()
  return months
    .filter(({ invoice_month: month }) => (!from || month >= from) && (!to || month <= to))
    .toSorted((one, other) => other.invoice_month.localeCompare(one.invoice_month))
}
