import { mountAccountActions } from '../http/actions/account.ts'
import { mountAudienceActions } from '../http/actions/audience.ts'
import { mountCampaignActions } from '../http/actions/campaigns.ts'
import { mountContentActions } from '../http/actions/content.ts'
import { mountDeliverabilityActions } from '../http/actions/deliverability.ts'
import { mountReportActions } from '../http/actions/reports.ts'
import { createApp } from '../http/create-app.ts'
import type { Http } from '../http/http.ts'
import { mountConsole } from '../http/mount-console.ts'
import { mountHealth } from '../http/mount-health.ts'
import { mountResource } from '../http/mount-resource.ts'
import { mountSocket } from '../http/socket.ts'
import { operationsTable } from '../http/operations-table.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Console, API and socket on one port. */
export async function start({ config, sql, pool, logger }: RoleContext): Promise<RunningRole> {
  const app = await createApp(config, logger)
  const http: Http = { app, config, sql, pool, logger }
  mountHealth(http)
  mountAccountActions(http)
  mountAudienceActions(http)
  mountCampaignActions(http)
  mountContentActions(http)
  mountDeliverabilityActions(http)
  mountReportActions(http)
  const table = operationsTable(config)
  for (const { resource, operations } of table.values()) mountResource(http, resource, operations, table)
  const closeSocket = await mountSocket(http, config.databaseUrl ?? '')
  await mountConsole(app)
  await app.listen({ port: config.port, host: '0.0.0.0' })
  return {
    async stop() {
      await closeSocket()
      await app.close()
    },
  }
}
