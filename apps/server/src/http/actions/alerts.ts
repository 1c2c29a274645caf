import * as contract from '@emma/contract/actions/alerts.ts'
import { listAlertMessages, testAlert } from '@emma/core/deliverability/alerts/alert-outbox.ts'
import { accessibleClients } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts the messages of alerts and their test. */
export function mountAlertActions(http: Http): void {
  mountAction(http, contract.listAlertMessages, async ({ db, actor, params, query }) => {
    const page = await listAlertMessages(db, actor, accessibleClients(actor), params.id, query)
    return presentPage(page, query.limit, query.offset)
  })

  mountAction(http, contract.testAlert, async ({ db, actor, params }) => ({
    queued: await testAlert(db, actor, accessibleClients(actor), params.id),
  }))
}
