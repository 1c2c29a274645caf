import * as sendVolume from '@emma/contract/actions/send-volume.ts'
import { csvText } from '@emma/contract/csv.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { readSendVolume } from '@emma/core/billing/read-send-volume.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts the send volume of a client by month, as JSON and CSV. */
export function mountSendVolumeActions(http: Http): void {
  mountAction(http, sendVolume.listSendVolume, async ({ db, params, query }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    const { limit, offset, ...period } = query
    const months = await readSendVolume(db, params.client_id, period)
    const page = { data: months.slice(offset, offset + limit), included: [], total: months.length }
    return presentPage(page, limit, offset)
  })

  mountAction(http, sendVolume.downloadSendVolume, async ({ db, params, query, reply }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    const months = await readSendVolume(db, params.client_id, query)
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="send-volume-${params.client_id}.csv"`)
    const columns = sendVolume.sendVolumeColumns
    return `\ufeff${csvText([columns, ...months.map(month => columns.map(column => month[column]))], ',')}`
  })
}
