import { fault, type Fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type SenderFault, senderFaults } from '../deliverability/sender-rule.ts'
import type { Campaign } from './campaign-operations.ts'

/** Sender and sending route. Null: not used. */
export interface SenderSettings {
  clientId: number
  domainId: number | null
  mailclassId: number | null
  /** Login at a sending service, used instead of the mail class's own transport. */
  espId: number | null
  fromadr: string | null
  replyTo: string | null
}

/** Why nothing may be sent over a route. `field`: the field of the campaign that causes it. */
export interface SendingFault {
  code:
    | SenderFault['code']
    | 'client_inactive'
    | 'no_mailclass'
    | 'mailclass_inactive'
    | 'no_service'
    | 'service_inactive'
  field: SenderFault['field'] | 'client_id' | 'mailclass_id' | 'esp_id'
  fault: Fault
}

/** Sender and sending route of a campaign record. */
export function senderSettingsOf(campaign: Campaign): SenderSettings {
  const { client_id, domain_id, mailclass_id, esp_id, fromadr, reply_to } = campaign
  return {
    clientId: client_id,
    domainId: domain_id,
    mailclassId: mailclass_id,
    espId: esp_id,
    fromadr,
    replyTo: reply_to,
  }
}

/**
 * Finds what forbids sending over each route at this moment: a client, mail class or sending service that is inactive
 * or deleted, and violations of the sender rule by domain and addresses. Used by the check before the start, the
 * expansion, the resumption and the engine while it sends. One query for all routes, by primary keys.
 *
 * @returns the faults of each route, in the order of the routes
 */
export async function findSendingFaults(
  db: Db,
  routes: readonly SenderSettings[],
): Promise<SendingFault[][]> {
  if (routes.length === 0) return []
  const { rows } = await sql<RouteState>`
    select r.domain_id, r.mailclass_id, r.esp_id, client.is_active and client.deleted_at is null as client_active,
      d.name as domain, d.status, d.is_blocklisted,
      m.name as mailclass, m.active as mailclass_active, l.name as service, l.active as service_active
    from unnest(${routes.map(route => route.clientId)}::bigint[], ${routes.map(route => route.domainId)}::bigint[],
      ${routes.map(route => route.mailclassId)}::bigint[], ${routes.map(route => route.espId)}::bigint[])
      with ordinality as r (client_id, domain_id, mailclass_id, esp_id, position)
    left join client on client.client_id = r.client_id
    left join domain d on d.client_id = r.client_id and d.domain_id = r.domain_id and d.deleted_at is null
    left join mailclass m on m.client_id = r.client_id and m.mailclass_id = r.mailclass_id and m.deleted_at is null
    left join esp_login l on l.client_id = r.client_id and l.id = r.esp_id and l.deleted_at is null
    order by r.position`.execute(db)
  return rows.map((row, index) => [
    ...clientFaults(row),
    ...domainFaults(row, routes[index]),
    ...mailclassFaults(row),
    ...serviceFaults(row),
  ])
}

interface RouteState {
  client_active: boolean | null
  domain_id: number | null
  domain: string | null
  status: string | null
  is_blocklisted: boolean | null
  mailclass_id: number | null
  mailclass: string | null
  mailclass_active: boolean | null
  esp_id: number | null
  service: string | null
  service_active: boolean | null
}

function clientFaults({ client_active }: RouteState): SendingFault[] {
  if (client_active === true) return []
  return [{ code: 'client_inactive', field: 'client_id', fault: fault('campaign.client_inactive') }]
}

function domainFaults(row: RouteState, route: SenderSettings | undefined): SendingFault[] {
  const { domain_id, domain, status, is_blocklisted } = row
  if (domain_id === null) return []
  const found =
    domain === null
      ? undefined
      : { name: domain, status: status ?? '', is_blocklisted: is_blocklisted === true }
  return senderFaults(found, { fromadr: route?.fromadr, reply_to: route?.replyTo })
}

function mailclassFaults({ mailclass_id, mailclass, mailclass_active }: RouteState): SendingFault[] {
  if (mailclass_id === null) return []
  const field = 'mailclass_id'
  if (mailclass === null) return [{ code: 'no_mailclass', field, fault: fault('campaign.mailclass_gone') }]
  if (mailclass_active === true) return []
  return [{ code: 'mailclass_inactive', field, fault: fault('campaign.mailclass_inactive', { mailclass }) }]
}

function serviceFaults({ esp_id, service, service_active }: RouteState): SendingFault[] {
  if (esp_id === null) return []
  const field = 'esp_id'
  if (service === null) return [{ code: 'no_service', field, fault: fault('campaign.service_gone') }]
  if (service_active === true) return []
  return [{ code: 'service_inactive', field, fault: fault('campaign.service_inactive', { service }) }]
}
