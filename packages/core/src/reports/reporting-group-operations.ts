import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { valuesByCategory } from '../campaigns/campaign-categories.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { isInGroup } from './is-in-group.ts'

type Group = Row<typeof reportingGroup>
type Stored = Omit<Group, 'campaigns'>

const standard = resourceOperations(reportingGroup, {
  table: 'reporting_group',
  added: ['campaigns'],
  special: {
    campaign: values => sql`exists (
      select from campaign c where c.client_id = r.client_id and c.campagne_id = any(${values}::bigint[])
        and ${isInGroup('c', 'r')})`,
  },
  refersTo: { campaign_ids: { table: 'campaign', key: 'campagne_id' } },
})

/** CRUD operations of report groups, whose campaigns belong to one client. */
export const reportingGroupOperations: Operations<typeof reportingGroup> = {
  ...standard,
  async list(db, actor, scope, query) {
    const page = await standard.list(db, actor, scope, query)
    return { ...page, data: await withCounts(db, page.data) }
  },
  async find(db, actor, scope, id) {
    return withCount(db, await standard.find(db, actor, scope, id))
  },
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const group = await standard.create(tx, actor, clientId, input)
      return withCount(tx, await withSets(tx, group))
    })
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const group = await standard.patch(tx, actor, scope, id, input, options)
      return withCount(tx, await withSets(tx, group))
    })
  },
}

/**
 * Stores the values of the rule by their category.
 *
 * @throws EmmaError `invalid` for values of no category, and for a period that ends before it begins
 */
async function withSets(tx: Db, group: Stored): Promise<Stored> {
  const { client_id: clientId, reportinggroup_id: id, started_from: from, started_to: to } = group
  if (from !== null && to !== null && to < from)
    throw invalid([fieldError('started_to', 'field.not_before_start')])
  const sets = await valuesByCategory(tx, { clientId, ids: group.category_value_ids })
  await sql`
    update reporting_group set category_value_sets = ${JSON.stringify(sets)}::jsonb
    where client_id = ${clientId} and reportinggroup_id = ${id}`.execute(tx)
  return group
}

async function withCount(db: Db, group: Stored): Promise<Group> {
  const [counted] = await withCounts(db, [group])
  return counted ?? { ...group, campaigns: 0 }
}

async function withCounts(db: Db, groups: readonly Stored[]): Promise<Group[]> {
  const { rows } = await sql<{ id: number; campaigns: number }>`
    select g.reportinggroup_id as id, count(*) as campaigns
    from reporting_group g
    join campaign c on c.client_id = g.client_id and c.deleted_at is null and ${isInGroup('c', 'g')}
    where g.client_id = any(${[...new Set(groups.map(group => group.client_id))]}::bigint[])
      and g.reportinggroup_id = any(${groups.map(group => group.reportinggroup_id)}::bigint[])
    group by 1`.execute(db)
  const counts = new Map(rows.map(({ id, campaigns }) => [id, campaigns]))
  return groups.map(group => ({ ...group, campaigns: counts.get(group.reportinggroup_id) ?? 0 }))
}
