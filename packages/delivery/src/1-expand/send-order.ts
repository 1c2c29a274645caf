import { type RawBuilder, sql } from 'kysely'

/** Order of sending of a campaign. */
export interface OrderSettings {
  send_order: string
  order_column: string | null
  order_descending: boolean
}

/** SQL fragments of the order in which recipients get their mail. */
export interface SendOrder {
  /** Values of members (alias m), with a leading comma, and the same of seeds. */
  memberColumns: RawBuilder<unknown>
  seedColumns: RawBuilder<unknown>
  /** Over the rows of `judged`. */
  order: RawBuilder<unknown>
  /** Whether anything depends on it other than batches. */
  isChosen: boolean
}

const ANY: SendOrder = {
  memberColumns: sql``,
  seedColumns: sql``,
  order: sql`member_id`,
  isChosen: false,
}

/**
 * Order of sending: by the last human open or click, with new members first among those without any; or by a column of
 * the datasource, members without a value last. Seeds are first.
 * @param columns names of the datasource's columns; another one, which was deleted since, gives no order
 */
export function sendOrder(
  { send_order, order_column, order_descending }: OrderSettings,
  columns: readonly string[],
): SendOrder {
  if (send_order === 'engaged')
    return {
      memberColumns: sql`, greatest(m.last_opened_at, m.last_clicked_at) as engaged_at, m.created_at as joined_at`,
      seedColumns: sql`, null::timestamptz, null::timestamptz`,
      order: sql`member_id > 0, engaged_at desc nulls last, joined_at desc, member_id`,
      isChosen: true,
    }
  if (send_order !== 'column' || order_column === null || !columns.includes(order_column)) return ANY
  const value = sql`m.${sql.id(order_column)}`
  return {
    // A type for the union with seeds, whose value is null.
    memberColumns: sql`, ${value} as order_value`,
    seedColumns: sql`, null`,
    order: sql`member_id > 0, order_value ${order_descending ? sql`desc` : sql`asc`} nulls last, member_id`,
    isChosen: true,
  }
}
