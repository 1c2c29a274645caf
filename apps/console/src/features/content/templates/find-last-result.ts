import { lastResults } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { api } from '../../../shell/session/api.ts'

export type LastResult = Answer<typeof lastResults>[number]

interface Batch {
  ids: Set<number>
  results: Promise<Map<number, LastResult>>
}

/** Most templates of one call. */
const BATCH = 100

let open: Batch | null = null

/** The last sending of a template; null if there is none. Templates that appear together are asked for in one call. */
export async function findLastResult(clientId: number, templateId: number): Promise<LastResult | null> {
  if (open === null || open.ids.size === BATCH) open = openBatch(clientId)
  open.ids.add(templateId)
  return (await open.results).get(templateId) ?? null
}

function openBatch(clientId: number): Batch {
  const ids = new Set<number>()
  const results = Promise.resolve().then(async () => {
    open = null
    const query = { message_ids: [...ids].join(',') }
    const found = await api.call(lastResults, { params: { client_id: clientId }, query })
    return new Map(found.map(result => [result.message_id, result]))
  })
  return { ids, results }
}
