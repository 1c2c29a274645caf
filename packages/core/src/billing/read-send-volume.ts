import type { MonthVolume } from '@emma/contract/actions/send-volume.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readOpenMonths } from './open-months.ts'

interface Period {
  /** First and last month: 2026-11. */
  from?: string | undefined
  to?: string | undefined
}

/** Send volume of a client by month (R185), newest first: the closed months, and those that are still counted. */
export async function readSendVolume(db: Db, clientId: number, { from, to }: Period): Promise<MonthVolume[]> {
  // In this order: a month that is closed meanwhile is in both, and not in none.
  const open = await readOpenMonths(db, clientId)
  const closed = await readClosedMonths(db, clientId)
  const isClosed = new Set(closed.map(({ invoice_month }) => invoice_month))
  const counted = open
    .filter(month => !isClosed.has(month.invoice_month))
    .map(({ price_minor, ends_at: _, ...month }) => ({
      ...month,
      price: inUnits(price_minor),
      closed_at: null,
    }))
  return [...counted.toReversed(), ...closed].filter(
    ({ invoice_month: month }) => (!from || month >= from) && (!to || month <= to),
  )
}

async function readClosedMonths(db: Db, clientId: number): Promise<MonthVolume[]> {
  const { rows } = await sql<Omit<MonthVolume, 'price'> & { price_minor: number | null }>`
    select to_char(month, 'YYYY-MM') as invoice_month, campaign, recurring, transactional, test,
      campaign + recurring + transactional as total, "limit", price_minor, currency, price_tiers, timezone, closed_at
    from send_volume where client_id = ${clientId} order by month desc`.execute(db)
  return rows.map(({ price_minor, ...month }) => ({ ...month, price: inUnits(price_minor) }))
}

function inUnits(minor: number | null): number | null {
  return minor === null ? null : minor / 100
}
