import { fault, reasonOf } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { readColumns } from '../audience/datasources/datasource.ts'
import type { Campaign } from './campaign-operations.ts'
import type { BlockingFinding } from './finding.ts'

/** Warns about an order of sending by a column that the datasource does not have: there is then no order. */
export async function checkOrder(db: Db, campaign: Campaign): Promise<BlockingFinding[]> {
  const { send_order, order_column: column, member_table_id: tableId } = campaign
  if (send_order !== 'column' || column === null || tableId === null) return []
  const columns = (await readColumns(db, [tableId])).get(tableId) ?? []
  if (columns.some(({ column_name: name }) => name === column)) return []
  const reason = reasonOf(fault('campaign.order_column', { column }))
  return [{ code: 'order_column', field: 'order_column', ...reason, blocks: false }]
}
