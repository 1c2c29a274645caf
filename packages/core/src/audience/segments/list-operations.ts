import { isDeepStrictEqual } from 'node:util'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { list } from '@emma/contract/resources/list.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { ownClient, type TenantScope } from '../../resource/actor.ts'
import {
  audienceReferences,
  campaignReferences,
  goalSegments,
  listedReferences,
} from '../../campaigns/campaign-references.ts'
import type { Operations } from '../../resource/operations.ts'
import { findReferences } from '../../resource/references.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { countMembers } from './count-segment.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { checkRules } from './compile-segment.ts'
import { assertMayCompare } from './rule-rights.ts'
import { readSegment, segmentMemory } from './segment-members.ts'

const standard = resourceOperations(list, {
  table: 'list',
  json: ['query'],
  refersTo: { member_table_id: { table: 'member_table', key: 'member_table_id' } },
  references: [...campaignReferences('list_id'), ...listedReferences('exclude_list_ids'), ...goalSegments],
})

/** CRUD operations of segments. Checks the rules against the datasource and counts the members. */
export const listOperations: Operations<typeof list> = {
  ...standard,

  list(db, actor, scope, query) {
    const { all_membertables: all, ...filters } = query.filters
    if (all?.at(-1) === true) delete filters.member_table_id
    return standard.list(db, actor, scope, { ...query, filters })
  },

  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const own = { clientIds: [ownClient(actor, clientId ?? input.client_id ?? null)] }
      const query = input.query ?? null
      assertMayCompare(actor, query)
      await checkFit(tx, own, input.member_table_id, query)
      const made = await standard.create(tx, actor, clientId, { ...input, query })
      await refreshListCount(tx, own, made.list_id)
      return standard.find(tx, actor, own, made.list_id)
    })
  },

  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await readSegment(tx, scope, id)
      const own = { clientIds: [before.client_id] }
      const memberTableId = input.member_table_id ?? before.member_table_id
      if (memberTableId !== before.member_table_id) await assertMovable(tx, before)
      const query = input.query === undefined ? before.query : input.query
      // Unchanged rules that are sent back need no permission.
      const isNew = memberTableId !== before.member_table_id || !isDeepStrictEqual(query, before.query)
      if (isNew) assertMayCompare(actor, query)
      await checkFit(tx, own, memberTableId, query)
      await standard.patch(tx, actor, own, id, input, options)
      if (memberTableId !== before.member_table_id) await moveDrafts(tx, before, memberTableId)
      await refreshListCount(tx, own, id)
      return standard.find(tx, actor, own, id)
    })
  },
}

/** The audience of a campaign must not change unnoticed. */
async function assertMovable(db: Db, segment: { client_id: number; list_id: number }): Promise<void> {
  const key = { clientId: segment.client_id, id: segment.list_id }
  const users = await findReferences(db, audienceReferences, key)
  if (users.length === 0) return
  const names = users.map(user => `"${user.name}"`).join(', ')
  throw invalid([fieldError('member_table_id', 'field.fixed_by_campaigns', { names })])
}

/** Sets the datasource of drafts, which follows from their segment. */
async function moveDrafts(
  tx: Db,
  { client_id, list_id }: { client_id: number; list_id: number },
  memberTableId: number,
): Promise<void> {
  await tx
    .updateTable('campaign')
    .set({ member_table_id: memberTableId })
    .where('client_id', '=', client_id)
    .where('list_id', '=', list_id)
    .where('valid', '=', campaignState.draft)
    .execute()
}

/** Counts a saved segment's members and stores the number. */
export async function refreshListCount(db: Db, scope: TenantScope, listId: number): Promise<number> {
  return transaction(db, async tx => {
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
  tx: Db,
  scope: TenantScope,
  memberTableId: number,
  query: RuleGroup | null,
): Promise<void> {
  const source = await readDatasource(tx, scope, memberTableId).catch((error: unknown) => {
    const isUnknown = error instanceof EmmaError && error.code === 'not_found'
    throw isUnknown ? invalid([fieldError('member_table_id', 'field.not_there')]) : error
  })
  checkRules(query, source.columns)
}

/** Segments to recount: two minutes after their datasource was counted, and hourly; oldest first, 20 at most. */
export function listStaleSegments(db: Db): Promise<{ client_id: number; list_id: number }[]> {
  return db
    .selectFrom('list')
    .innerJoin('member_table', join =>
      join
        .onRef('member_table.client_id', '=', 'list.client_id')
        .onRef('member_table.member_table_id', '=', 'list.member_table_id'),
    )
    .select(['list.client_id', 'list.list_id'])
    .where('list.deleted_at', 'is', null)
    .where(
      sql<boolean>`list.counted_at is null or list.counted_at < now() - interval '1 hour'
        or list.counted_at < least(member_table.stats_at, now() - interval '2 minutes')`,
    )
    .orderBy('list.counted_at', eb => eb.asc().nullsFirst())
    .limit(20)
    .execute()
}
