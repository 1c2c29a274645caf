import type { FastifyInstance } from 'fastify'
import { createPreviewPool } from '../content/preview-pool.ts'
import { SLOW_READ_LIMITS } from '../network/limits.ts'
import { measureHttp } from '../metrics/http-metrics.ts'
import { mountMetrics } from '../metrics/mount-metrics.ts'
import type { RoleContext } from '../role.ts'
import { mountAccountActions } from './actions/account.ts'
import { mountAlertActions } from './actions/alerts.ts'
import { mountApprovalActions } from './actions/approval.ts'
import { mountAudienceActions } from './actions/audience.ts'
import { mountCampaignActions } from './actions/campaigns.ts'
import { mountClientErrorActions } from './actions/client-error.ts'
import { mountContentActions } from './actions/content.ts'
import { mountDashboardActions } from './actions/dashboard.ts'
import { mountDeliverabilityActions } from './actions/deliverability.ts'
import { mountFileActions } from './actions/files.ts'
import { mountGuidanceActions } from './actions/guidance.ts'
import { mountInternalBlacklistActions } from './actions/internal-blacklist.ts'
import { mountDocumentActions } from './actions/documents.ts'
import { mountLegalDocumentActions } from './actions/legal-documents.ts'
import { mountNotificationActions } from './actions/notifications.ts'
import { mountPeopleActions } from './actions/platform.ts'
import { mountRecurringActions } from './actions/recurring.ts'
import { mountReportActions } from './actions/reports.ts'
import { mountMtaStatsActions } from './actions/mta-stats.ts'
import { mountSalesViewActions } from './actions/sales-view.ts'
import { mountSendVolumeActions } from './actions/send-volume.ts'
import { mountTransactionalActions } from './actions/transactional.ts'
import { mountTranslationActions } from './actions/translations.ts'
import { mountScdRuleActions } from './actions/scd-rules.ts'
import { mountPlacementActions } from './actions/placement.ts'
import { mountTestActions } from './actions/test-campaigns.ts'
import { mountVolumeActions } from './actions/volume.ts'
import { mountWebhookActions } from './actions/webhooks.ts'
import { mountSignInActions } from './actions/sign-in.ts'
import { mountSystemSettingsActions } from './actions/system-settings.ts'
import type { MailTemplate } from '@emma/core/transactional/accept-mails.ts'
import type { MailKeyHolder } from '@emma/core/transactional/mail-key.ts'
import type { Datasource } from '@emma/core/audience/datasources/datasource.ts'
import { limitCallers } from './caller-limit.ts'
import { createApp } from './create-app.ts'
import type { Http } from './http.ts'
import { logWrites } from './log-writes.ts'
import { mountConsole } from './mount-console.ts'
import { mountDocs } from './mount-docs.ts'
import { mountHealth } from './mount-health.ts'
import { mountResource } from './mount-resource.ts'
import { operationsTable } from './operations-table.ts'
import { openResponseCaches } from './response-cache.ts'
import { callerOf, identifyCaller } from './read-actor.ts'
import { readBodies } from './read-body.ts'
import { createSlowReads } from './slow-reads.ts'
import { mountSocket } from './socket.ts'
import type { Caller } from './caller.ts'

/** Creates console, API and socket, ready to listen or to be tested. Closing ends its sockets too. */
export async function createApi({
  config,
  db,
  pool,
  logger,
  metrics,
}: RoleContext): Promise<FastifyInstance> {
  const app = await createApp(config, logger)
  const countCall = limitCallers(app, config.callsPerMinute.caller)
  if (metrics) measureHttp(app, metrics)
  const answers = await openResponseCaches(config.databaseUrl ?? '', config.keptSeconds, logger)
  app.addHook('onClose', () => answers.stop())
  // After the response to a write, its effect must be visible, before the notification of the database arrives. Not
  // for anonymous and rejected calls, with which anybody could keep the cache empty.
  app.addHook('onSend', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    const { action } = request.routeOptions.config
    if (isWrite && !action?.queuesMail && reply.statusCode < 400 && callerOf(request)) answers.clear()
  })
  const kept = {
    sessions: answers.create<Caller>(),
    datasources: answers.create<Datasource>(),
    mailKeys: answers.create<MailKeyHolder>(),
    mailTemplates: answers.create<MailTemplate>(),
  }
  const slowReads = createSlowReads(config.databaseUrl ?? '', SLOW_READ_LIMITS)
  app.addHook('onClose', () => slowReads.close())
  const previews = createPreviewPool()
  app.addHook('onClose', () => previews.close())
  const http: Http = { app, config, db, pool, logger, kept, slowReads, previews, countCall }
  // Before a body is read: anonymous callers may send none to non-public routes.
  app.addHook('preParsing', async request => {
    if (request.routeOptions.config.isPublic === false) await identifyCaller(http, request)
  })
  readBodies(app, config.bodyLimit)
  logWrites(http)
  mountHealth(http)
  mountMetrics(http)
  mountDocs(http)
  mountAccountActions(http)
  mountAlertActions(http)
  mountApprovalActions(http)
  mountAudienceActions(http)
  mountCampaignActions(http)
  mountClientErrorActions(http)
  mountContentActions(http)
  mountDashboardActions(http)
  mountDeliverabilityActions(http)
  mountVolumeActions(http)
  mountFileActions(http)
  mountGuidanceActions(http)
  mountLegalDocumentActions(http)
  mountInternalBlacklistActions(http)
  mountDocumentActions(http)
  mountNotificationActions(http)
  mountRecurringActions(http)
  mountReportActions(http)
  mountSalesViewActions(http)
  mountMtaStatsActions(http)
  mountSendVolumeActions(http)
  mountTransactionalActions(http)
  mountTranslationActions(http)
  mountScdRuleActions(http)
  mountPlacementActions(http)
  mountTestActions(http)
  mountWebhookActions(http)
  const table = operationsTable(http)
  mountPeopleActions(http, table)
  mountSignInActions(http)
  mountSystemSettingsActions(http)
  for (const { resource, operations } of table.values()) mountResource(http, resource, operations, table)
  const closeSocket = await mountSocket(http, config.databaseUrl ?? '')
  app.addHook('preClose', closeSocket)
  await mountConsole(app, config.consoleFolder)
  return app
}
