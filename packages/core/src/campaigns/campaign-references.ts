import { campaignState, openStates } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { recurring, type runFields } from '@emma/contract/resources/recurring.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { sql } from 'kysely'
import type { Reference } from '../resource/references.ts'

type RunField = (typeof runFields)[number]
type ListColumn = RunField & ('exclude_list_ids' | 'blacklist_ids')

/** Campaigns and recurring campaigns that refer to a row by a column. */
export function campaignReferences(column: RunField): Reference[] {
  return [
    { resource: campaign, column },
    { resource: recurring, column },
  ]
}

/** Campaigns that have not ended, and recurring campaigns, that have the key of a row in a list of keys. */
export function listedReferences(column: ListColumn): Reference[] {
  const refers = (id: number) => sql`${sql.ref(column)} @> array[${id}::bigint]`
  return [
    { resource: campaign, refers, where: sql`valid = any(${[campaignState.draft, ...openStates]}::int[])` },
    { resource: recurring, refers },
  ]
}

/**
 * Campaigns that send to a segment and are neither drafts nor ended, those that exclude it, and recurring campaigns that
 * do either: their audience must not change unnoticed.
 */
export const audienceReferences: readonly Reference[] = [
  { resource: campaign, column: 'list_id', where: sql`valid = any(${[...openStates]}::int[])` },
  { resource: recurring, column: 'list_id' },
  ...listedReferences('exclude_list_ids'),
]

/** Campaigns, recurring campaigns and report groups that have one of the values of a category. */
export function categoryReferences(valueIds: readonly (number | null)[]): Reference[] {
  const refers = () => sql`category_value_ids && ${valueIds}::bigint[]`
  return [
    { resource: campaign, refers },
    { resource: recurring, refers },
    { resource: reportingGroup, refers, table: 'reporting_group' },
  ]
}

/** Campaigns and recurring campaigns with an A/B test, one of whose variants has the template. */
export const variantTemplates = splitReferences(id => ({ variants: [{ message_id: id }] }))

/** Campaigns and recurring campaigns with an A/B test or a holdout that is compared by the members of the segment. */
export const goalSegments = splitReferences(id => ({ goal_list_id: id }))

function splitReferences(part: (id: number) => unknown): Reference[] {
  const refers = (id: number) => sql`split @> ${JSON.stringify(part(id))}::jsonb`
  return [
    { resource: campaign, refers },
    { resource: recurring, refers },
  ]
}

/** Recurring campaigns of a datasource whose runs go to the members whose date in a column is due. */
export function dateColumnReference(column: string): Reference {
  return {
    resource: recurring,
    column: 'member_table_id',
    where: sql`trigger = 'date_field' and date_column = ${column}`,
  }
}
