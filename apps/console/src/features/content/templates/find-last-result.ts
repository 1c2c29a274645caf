import { type listReports as contract, listReports } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { api } from '../../../shell/session/api.ts'

export type LastResult = Answer<typeof contract>['data'][number]

interface Batch {
  ids: Set<number>
  results: Promise<Map<number | null, LastResult>>
}

let open: Batch | null = null

/**
 * Report of the newest started campaign that sends a template, tests aside; null if there is none. Templates that appear
 * together are asked for in one call.
 */
export async function findLastResult(templateId: number): Promise<LastResult | null> {
  open ??= openBatch()
  open.ids.add(templateId)
  return (await open.results).get(templateId) ?? null
}

function openBatch(): Batch {
  const ids = new Set<number>()
  const results = Promise.resolve().then(() => {
    open = null
    return readResults([...ids])
  })
  return { ids, results }
}

async function readResults(ids: number[]): Promise<Map<number | null, LastResult>> {
  const { data } = await api.call(listReports, {
    query: { message_id: ids, test: false, distinct: 'message_id', limit: 10 * ids.length },
  })
  const oldestFirst = data.toSorted((a, b) => (a.started_at ?? '').localeCompare(b.started_at ?? ''))
  return new Map(oldestFirst.map(report => [report.message_id, report]))
}
