import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { list } from '@emma/contract/resources/list.ts'
import { type RuleGroup, ruleQuery } from '@emma/contract/rules.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { ownClient, type TenantScope } from '../resource/actor.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { countMembers } from './count-segment.ts'
import { readDatasource } from './datasource.ts'
import { checkRules } from './segment/compile-segment.ts'
import { readSegment, segmentMemory } from './segment/segment-members.ts'

const standard = resourceOperations(list, {
  table: 'list',
  json: ['query'],
  references: [{ type: 'campaign', table: 'campaign', column: 'list_id', key: 'campagne_id', name: 'name' }],
})

/** Segments. Rules are checked against the datasource before they are kept, and the members counted. */
export const listOperations: Operations = {
  ...standard,

  list(sql, actor, scope, query) {
    const { all_membertables: all, ...filters } = query.filters
    if (all?.at(-1) === true) delete filters.member_table_id
    return standard.list(sql, actor, scope, { ...query, filters })
  },

  create(sql, actor, clientId, input) {
    return transaction(sql, async tx => {
      const own = { clientIds: [ownClient(actor, clientId ?? numberOrNull(input.client_id))] }
      await checkFit(tx, own, input.member_table_id, parseRules(input.query))
      const made = await standard.create(tx, actor, clientId, input)
      await refreshListCount(tx, own, Number(made.list_id))
      return standard.find(tx, actor, own, Number(made.list_id))
    })
  },

  patch(sql, actor, scope, id, input, options) {
    return transaction(sql, async tx => {
      const before = await readSegment(tx, scope, id)
      const own = { clientIds: [before.client_id] }
      const query = input.query === undefined ? before.query : parseRules(input.query)
      await checkFit(tx, own, input.member_table_id ?? before.member_table_id, query)
      await standard.patch(tx, actor, own, id, input, options)
      await refreshListCount(tx, own, id)
      return standard.find(tx, actor, own, id)
    })
  },
}

/** Counts a saved segment's members and keeps the figure with it. */
export async function refreshListCount(sql: Sql, scope: TenantScope, listId: number): Promise<number> {
  return transaction(sql, async tx => {
    const segment = await readSegment(tx, scope, listId)
    const source = await readDatasource(tx, { clientIds: [segment.client_id] }, segment.member_table_id)
    await segmentMemory.execute(tx)
    const count = await countMembers(tx, source, segment)
    await tx
      .updateTable('list')
      .set({ count, counted_at: new Date() })
      .where('client_id', '=', segment.client_id)
      .where('list_id', '=', listId)
      .execute()
    return count
  })
}

async function checkFit(
  tx: Sql,
  scope: TenantScope,
  memberTableId: Fields[string],
  query: RuleGroup | null,
): Promise<void> {
  const source = await readDatasource(tx, scope, Number(memberTableId)).catch((error: unknown) => {
    const isUnknown = error instanceof EmmaError && error.code === 'not_found'
    throw isUnknown ? invalid([{ field: 'member_table_id', message: 'does not exist' }]) : error
  })
  checkRules(query, source.columns)
}

function parseRules(query: unknown): RuleGroup | null {
  return ruleQuery.nullable().parse(query ?? null)
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
