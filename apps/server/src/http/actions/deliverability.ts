import { join } from 'node:path'
import * as deliverability from '@emma/contract/actions/deliverability.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { domainOperations } from '@emma/core/deliverability/domain-operations.ts'
import { mailclassOperations } from '@emma/core/deliverability/mailclass-operations.ts'
import { verifyDomain } from '@emma/core/deliverability/verify-domain.ts'
import { accessibleClients } from '@emma/core/resource/actor.ts'
import { readWarmup } from '@emma/core/deliverability/limits/read-warmup.ts'
import { type Mailboxes, openMailboxes } from '@emma/testbed/mailboxes.ts'
import { dnsResolver } from '../../dns-resolver.ts'
import { mailHostsOf } from '../mail-hosts.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts domain checks, warm-ups, and the testbed's mailboxes. */
export function mountDeliverabilityActions(http: Http): void {
  const { config } = http
  const domains = domainOperations(config.deriveKey('secrets at rest'), mailHostsOf(config))
  let opened: Mailboxes | undefined
  const mailboxes = () => (opened ??= openMailboxes(join(config.dataFolder, 'testbed')))
  http.app.addHook('onClose', async () => opened?.close())

  mountAction(http, deliverability.verifyDomain, ({ db, actor, params }) =>
    verifyDomain(db, domains, dnsResolver(config), actor, accessibleClients(actor), params.id),
  )

  const mailclasses = mailclassOperations(config.deriveKey('secrets at rest'))
  mountAction(http, deliverability.readMailclassWarmup, async ({ db, actor, params }) => {
    const found = await mailclasses.find(db, actor, accessibleClients(actor), params.id)
    return readWarmup(db, 'mailclass', { clientId: Number(found.client_id), id: params.id })
  })

  mountAction(http, deliverability.readDomainWarmup, async ({ db, actor, params }) => {
    const found = await domains.find(db, actor, accessibleClients(actor), params.id)
    return readWarmup(db, 'domain', { clientId: Number(found.client_id), id: params.id })
  })

  mountAction(http, deliverability.listMailboxes, async ({ query }) => {
    const { rows, total } = mailboxes().listMailboxes(query)
    const data = rows.map(row => ({ ...row, lastReceivedAt: row.lastReceivedAt.toISOString() }))
    return presentPage({ data, included: [], total }, query.limit, query.offset)
  })

  mountAction(http, deliverability.listTestbedMessages, async ({ query }) => {
    const { rows, total } = mailboxes().listMessages(query)
    const data = rows.map(row => ({ ...row, receivedAt: row.receivedAt.toISOString() }))
    return presentPage({ data, included: [], total }, query.limit, query.offset)
  })

  mountAction(http, deliverability.findTestbedMessage, async ({ params }) => {
    const message = await mailboxes().getMessage(params.id)
    if (!message) throw new EmmaError('not_found')
    return {
      ...message,
      receivedAt: message.receivedAt.toISOString(),
      events: message.events.map(event => ({ ...event, at: event.at.toISOString() })),
    }
  })
}
