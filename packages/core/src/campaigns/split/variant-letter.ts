import { type RawBuilder, sql } from 'kysely'

/**
 * SQL of the name of the variant that a recipient got or is to get: A, B, …, of the sample or of the winner; null
 * without an A/B test, while the winner is awaited, and for members who were skipped.
 *
 * @param delivery alias of the ledger row
 * @param campaign alias of its campaign
 */
export function letterOfVariant(delivery: string, campaign: string): RawBuilder<string | null> {
  const variant = sql.ref(`${delivery}.variant`)
  const winner = sql.ref(`${campaign}.split_winner`)
  return sql`chr(ascii('A')
    + coalesce(${variant}, case when ${sql.ref(`${delivery}.state`)} <> 'skipped' then ${winner} end))`
}
