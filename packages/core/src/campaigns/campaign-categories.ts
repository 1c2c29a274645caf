import { fieldError, invalid } from '@emma/contract/errors.ts'
import { fault, reasonOf } from '@emma/contract/faults.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { campaign } from '@emma/contract/resources/campaign.ts'
import { category } from '@emma/contract/resources/category.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Finding } from './finding.ts'

type Category = Pick<Row<typeof category>, 'name' | 'is_multi' | 'is_required' | 'values'>
type Categorised = Pick<Row<typeof campaign>, 'client_id' | 'category_value_ids'>

/**
 * The values that a campaign gets must exist, be active unless it had them before, and be one per category that takes
 * one.
 * @throws EmmaError `invalid`
 */
export async function assertCategories(
  db: Db,
  { client_id, category_value_ids: ids }: Categorised,
  before: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const field = 'category_value_ids'
  const categories = await readCategories(db, client_id)
  const offered = categories.flatMap(({ values }) =>
    values.filter(({ active, value_id }) => active || before.includes(value_id ?? 0)),
  )
  if (!ids.every(id => offered.some(value => value.value_id === id)))
    throw invalid([fieldError(field, 'field.not_there')])
  const crowded = categories.find(
    ({ is_multi, values }) =>
      !is_multi && values.filter(value => ids.includes(value.value_id ?? 0)).length > 1,
  )
  if (crowded) throw invalid([fieldError(field, 'field.one_value', { category: crowded.name })])
}

/** Groups values by their category. Throws `invalid` if one is not a value of the client's categories. */
export async function valuesByCategory(
  db: Db,
  { clientId, ids }: { clientId: number; ids: readonly number[] },
): Promise<number[][]> {
  if (ids.length === 0) return []
  const sets = (await readCategories(db, clientId))
    .map(({ values }) => ids.filter(id => values.some(value => value.value_id === id)))
    .filter(set => set.length > 0)
  if (sets.flat().length < new Set(ids).size)
    throw invalid([fieldError('category_value_ids', 'field.not_there')])
  return sets
}

/** Required categories of which a campaign has no value. */
export async function checkCategories(
  db: Db,
  { client_id, category_value_ids: ids }: Categorised,
): Promise<Finding[]> {
  const missing = (await readCategories(db, client_id)).filter(
    ({ is_required, values }) =>
      is_required &&
      values.some(value => value.active) &&
      !values.some(value => ids.includes(value.value_id ?? 0)),
  )
  return missing.map(({ name }) => ({
    code: 'category_missing',
    field: 'category_value_ids',
    ...reasonOf(fault('campaign.category_missing', { category: name })),
  }))
}

async function readCategories(db: Db, clientId: number): Promise<Category[]> {
  const rows = await db
    .selectFrom('category')
    .select(['name', 'is_multi', 'is_required', 'values'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(row => ({ ...row, values: category.fields.values.parse(row.values) }))
}
