import { type Currency, graduatedPrice, type PriceTier } from '@emma/contract/price-tiers.ts'
import { campaignType } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'

/** A month that is still counted, with its figures until now. */
export interface OpenMonth {
  /** 2026-11 */
  invoice_month: string
  campaign: number
  recurring: number
  transactional: number
  test: number
  /** What is billed: all but tests. */
  total: number
  limit: number | null
  price_tiers: PriceTier[]
  currency: Currency
  price_minor: number | null
  timezone: string
  ends_at: string
}

const { regular, esp, recurring, transactional, process, test, ipci } = campaignType

/**
 * Where the mails of a type of campaign are listed. Double opt-in and other process mails are sent one by one on what a
 * person does, as transactional emails.
 */
const types = {
  campaign: [regular, esp],
  recurring: [recurring],
  transactional: [transactional, process],
  test: [test, ipci],
} as const

/**
 * Months of a client that are not closed, oldest first: those after the last closed one, or from the client's first one
 * on, until the current one by the client's clock. Tests are emails of tests and placement checks, seeds and proof
 * copies. Empty if there is no such client.
 */
export async function readOpenMonths(db: Db, clientId: number): Promise<OpenMonth[]> {
  const { rows } = await sql<Omit<OpenMonth, 'total' | 'price_minor'>>`
    with own as (
      select c.client_id, c.timezone, c.send_volume_limit, c.price_tiers, c.currency, closed.month, closed.ends_at,
        date_trunc('month', wall_clock(now(), c.timezone)) as current,
        date_trunc('month', wall_clock(c.created_at, c.timezone)) as created
      from client c cross join (
        select max(month) as month, max(ends_at) as ends_at from send_volume where client_id = ${clientId}
      ) closed
      where c.client_id = ${clientId}
    ), bounds as (
      select own.*, coalesce(month + interval '1 month', least(created, (
        select min(month) from send_count where client_id = ${clientId}))) as first
      from own
    ), months as (
      select b.*, m.month as open_month,
        case when m.month > b.first then from_wall_clock(m.month, b.timezone)
          else coalesce(b.ends_at, '-infinity') end as starts_at,
        from_wall_clock(m.month + interval '1 month', b.timezone) as open_until
      from bounds b cross join lateral generate_series(b.first, b.current, '1 month') as m (month)
    )
    select to_char(m.open_month, 'YYYY-MM') as invoice_month, sent.campaign, sent.recurring, sent.transactional,
      sent.test + tests.count + checks.count as test, m.send_volume_limit as "limit", m.price_tiers, m.currency,
      m.timezone, m.open_until as ends_at
    from months m
    cross join lateral (
      select ${sum('campaign')} as campaign, ${sum('recurring')} as recurring,
        ${sum('transactional')} as transactional, ${sum('test')} + coalesce(sum(s.copies), 0)::bigint as test
      from send_count s
      join campaign c on c.client_id = s.client_id and c.campagne_id = s.campagne_id
      where s.client_id = ${clientId} and s.month = m.open_month::date
    ) sent
    cross join lateral (
      select count(*) as count
      from test_campaign t cross join lateral jsonb_array_elements(t.results) as result
      where t.client_id = ${clientId} and t.sent_at >= m.starts_at and t.sent_at < m.open_until
        and result ->> 'outcome' in ('sent', 'rejected')
    ) tests
    cross join lateral (
      select count(*) as count from ipci_result r
      where r.client_id = ${clientId} and r.sent_at >= m.starts_at and r.sent_at < m.open_until
        and r.outcome in ('sent', 'rejected')
    ) checks
    order by m.open_month`.execute(db)
  return rows.map(row => {
    const total = row.campaign + row.recurring + row.transactional
    return { ...row, total, price_minor: graduatedPrice(total, row.price_tiers) }
  })
}

function sum(kind: keyof typeof types): RawBuilder<unknown> {
  return sql`
    coalesce(sum(s.sent) filter (where c.ctype = any(${[...types[kind]]}::int[])), 0)::bigint`
}
