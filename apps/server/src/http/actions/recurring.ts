import * as contract from '@emma/contract/actions/recurring.ts'
import { invalid } from '@emma/contract/errors.ts'
import { listRuns } from '@emma/core/recurring/list-runs.ts'
import { runsAfter, scheduleFaults } from '@emma/core/recurring/next-runs.ts'
import { readRecurringReport } from '@emma/core/recurring/read-recurring-report.ts'
import { readRecurringSplit } from '@emma/core/recurring/read-recurring-split.ts'
import { recurringOperations } from '@emma/core/recurring/recurring-operations.ts'
import { runNow } from '@emma/core/recurring/run-now.ts'
import { accessibleClients, ownClient } from '@emma/core/resource/actor.ts'
import { checkContext } from '../../check-context.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts the preview, runs and report of recurring campaigns. */
export function mountRecurringActions(http: Http): void {
  mountAction(http, contract.previewSchedule, async ({ body }) => {
    const faults = scheduleFaults(body)
    if (faults.length > 0) throw invalid(faults)
    return { runs: [...runsAfter(body, new Date()).take(contract.PREVIEW_RUNS)] }
  })

  mountAction(http, contract.runRecurring, ({ db, actor, params, config }) =>
    runNow(
      db,
      actor,
      accessibleClients(actor),
      params.id,
      new Date(),
      checkContext(config, http.previews.compileAtOnce),
    ),
  )

  mountAction(http, contract.listRecurringRuns, async ({ db, actor, params, query }) => {
    const scope = accessibleClients(actor)
    const { client_id: clientId } = await recurringOperations.find(db, actor, scope, params.id)
    const page = await listRuns(db, { clientId, recurringId: params.id }, query)
    return presentPage(page, query.limit, query.offset)
  })

  mountAction(http, contract.readRecurringSplitReport, async ({ db, actor, params, query }) => {
    const scope = accessibleClients(actor)
    const { client_id: clientId } = await recurringOperations.find(db, actor, scope, params.id)
    return readRecurringSplit(db, { clientId, recurringId: params.id }, query)
  })

  mountAction(http, contract.readRecurringReport, async ({ db, actor, query }) =>
    presentPage(
      await readRecurringReport(db, ownClient(actor, query.client_id), query),
      query.limit,
      query.offset,
    ),
  )
}
