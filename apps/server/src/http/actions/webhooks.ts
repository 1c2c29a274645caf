import * as contract from '@emma/contract/actions/webhooks.ts'
import { accessibleClients } from '@emma/core/resource/actor.ts'
import { addTestCall, findTarget, recordTest } from '@emma/core/webhooks/deliver-queue.ts'
import { findMessage, listMessages, replayMessages } from '@emma/core/webhooks/webhook-log.ts'
import { rotateWebhookSecret, webhookOperations } from '@emma/core/webhooks/webhook-operations.ts'
import { judgeWebhookUrl } from '../../jobs/webhook-address.ts'
import { createSender } from '../../jobs/webhook-send.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts a webhook's log, replay, test and secret. */
export function mountWebhookActions(http: Http): void {
  const { config } = http
  const key = config.deriveKey('secrets at rest')
  const rule = { allowLoopback: config.webhookLoopback }
  const webhooks = webhookOperations(key, url => judgeWebhookUrl(url, rule))
  const sender = createSender(rule)
  http.app.addHook('onClose', () => sender.close())

  mountAction(http, contract.listWebhookMessages, async ({ db, actor, params, query }) =>
    presentListed(await listMessages(db, accessibleClients(actor), params.id, query), query),
  )

  mountAction(http, contract.findWebhookMessage, ({ db, actor, params }) =>
    findMessage(db, accessibleClients(actor), params.id, params.message_id),
  )

  mountAction(http, contract.replayWebhookMessage, async ({ db, actor, params }) => ({
    replayed: await replayMessages(db, accessibleClients(actor), params.id, { messageId: params.message_id }),
  }))

  mountAction(http, contract.replayWebhook, async ({ db, actor, params, body }) => ({
    replayed: await replayMessages(db, accessibleClients(actor), params.id, {
      from: body.from,
      to: body.to,
      onlyFailed: body.only_failed,
    }),
  }))

  mountAction(http, contract.testWebhook, async ({ db, actor, params }) => {
    const { client_id: clientId } = await webhooks.find(db, actor, accessibleClients(actor), params.id)
    const target = await findTarget(db, key, Number(clientId), params.id)
    const result = await sender.send(target, await addTestCall(db, target))
    await recordTest(db, target, result)
    return { ok: result.ok, ...result.attempt }
  })

  mountAction(http, contract.rotateWebhookSecret, ({ db, actor, params }) =>
    rotateWebhookSecret(db, actor, accessibleClients(actor), key, params.id),
  )
}

function presentListed(
  { data, included, total }: Awaited<ReturnType<typeof listMessages>>,
  { limit, offset }: { limit: number; offset: number },
) {
  return presentPage({ data: data.map(row => ({ ...row })), included, total }, limit, offset)
}
