import { campaignState } from '@emma/contract/campaign-states.ts'
import type { IpciResult, ipciDashboardView, listIpciResults } from '@emma/contract/actions/placement.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { placementHeader, placements } from '@emma/contract/placements.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { parseReceived } from '@emma/mail/mime/parse-received.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { since } from '../../dashboard/view-filter.ts'
import type { TenantScope } from '../../resource/actor.ts'
import type { Page } from '../../resource/operations.ts'

/** Seconds from sending to arrival; null for a mail that has not arrived. Clocks may differ. */
const delay = sql`case when r.arrived_at is not null then
  greatest(0, extract(epoch from r.arrived_at - r.sent_at)) end`

const columns = sql`
  r.result_id, r.client_id, r.ipci_id, i.name as ipci_name, i.valid = ${campaignState.finished} as is_over, r.login_id, r.provider, r.email, r.outcome, r.reply,
  r.sent_at, r.placement, r.folder, r.arrived_at,
  ${delay}::int as delay_s, r.spf, r.dkim, r.dmarc, r.received_ip,
  r.source is not null as has_source`

const joined = sql`
  from ipci_result as r
  join ipci as i on i.client_id = r.client_id and i.ipci_id = r.ipci_id and i.deleted_at is null`

function inScope({ clientIds }: TenantScope): RawBuilder<unknown> {
  return clientIds === 'all' ? sql`true` : sql`r.client_id = any(${[...clientIds]}::bigint[])`
}

/** Results of placement checks, newest check first. */
export async function listResults(
  db: Db,
  scope: TenantScope,
  { ipci_id, campagne_id, limit, skip }: z.output<typeof listIpciResults.query>,
): Promise<Page<IpciResult>> {
  const chosen = sql`
    ${inScope(scope)} ${ipci_id === undefined ? sql`` : sql`and r.ipci_id = ${ipci_id}`}
    ${campagne_id === undefined ? sql`` : sql`and i.campagne_id = ${campagne_id}`}`
  const [page, counted] = await Promise.all([
    sql<IpciResult>`
      select ${columns} ${joined} where ${chosen}
      order by r.ipci_id desc, r.provider, r.email, r.login_id limit ${limit} offset ${skip}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total ${joined} where ${chosen}`.execute(db),
  ])
  return { data: page.rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/** A result with the mail as received, as long as it is stored. Throws `not_found`. */
export async function findResult(db: Db, scope: TenantScope, id: number) {
  const { rows } = await sql<IpciResult & { headers: string | null; source: Buffer | null }>`
    select ${columns}, r.headers, r.source ${joined} where ${inScope(scope)} and r.result_id = ${id}`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new EmmaError('not_found')
  const { source, ...result } = found
  return { ...result, received: source && (await contentOf(source)) }
}

/** Null for a message that cannot be parsed. */
async function contentOf(source: Buffer) {
  try {
    const { subject, html, text } = await parseReceived(source, placementHeader)
    return { subject, html, text }
  } catch {
    return null
  }
}

const counts = sql.join([
  sql`count(*)::int as sent`,
  ...placements.map(
    placement => sql`count(*) filter (where r.placement = ${placement})::int as ${sql.ref(placement)}`,
  ),
])

/** SQL of the first and the last day of a period, both included. */
export interface Period {
  from: RawBuilder<unknown>
  to: RawBuilder<unknown>
}

/** The period of `days`, of which today is the last. */
export function lastDays(days: number): Period {
  return { from: since(days), to: sql`current_date` }
}

/** Placements of a period by provider, and the share of the inbox by day; days in the time zone of the transaction. */
export async function readPlacementView(
  db: Db,
  clientId: number,
  { from, to }: Period,
): Promise<Answer<typeof ipciDashboardView>> {
  const chosen = sql`
    r.client_id = ${clientId} and r.placement is not null
    and r.sent_at >= ${from} and r.sent_at < ${to} + 1`
  const [providers, days] = await Promise.all([
    sql<Answer<typeof ipciDashboardView>['providers'][number]>`
      select r.provider, ${counts}, percentile_cont(0.5) within group (
        order by ${delay}) as delay_s
      ${joined} where ${chosen} group by r.provider order by r.provider limit 100`.execute(db),
    sql<Answer<typeof ipciDashboardView>['days'][number]>`
      select to_char(r.sent_at, 'YYYY-MM-DD') as day, count(*)::int as sent,
        count(*) filter (where r.placement = 'inbox')::int as inbox
      ${joined} where ${chosen} group by 1 order by 1`.execute(db),
  ])
  return { providers: providers.rows, days: days.rows }
}

/** Days of the view without a period. */
const DEFAULT_DAYS = 30

/** The view of a period in the client's time zone; by default the last 30 days. */
export function readPlacements(
  db: Db,
  clientId: number,
  { from, to }: z.output<typeof ipciDashboardView.query>,
): Promise<Answer<typeof ipciDashboardView>> {
  const usual = lastDays(DEFAULT_DAYS)
  return transaction(db, async tx => {
    await sql`
      select set_config('timezone', timezone, true) from client where client_id = ${clientId}`.execute(tx)
    return readPlacementView(tx, clientId, {
      from: from === undefined ? usual.from : sql`${from}::date`,
      to: to === undefined ? usual.to : sql`${to}::date`,
    })
  })
}

/** Days after which mails as received are deleted. */
const KEEP_DAYS = 30

/** Deletes mails as received after their retention; where they arrived stays. */
export async function forgetReceivedMails(db: Db): Promise<void> {
  await sql`
    update ipci_result set source = null
    where source is not null and arrived_at < now() - make_interval(days => ${KEEP_DAYS})`.execute(db)
}
