import { type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { category } from '@emma/contract/resources/category.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { assertDeletable } from '../resource/assert-deletable.ts'
import type { Operations, Removal } from '../resource/operations.ts'
import { findReferences } from '../resource/references.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { categoryReferences } from './campaign-references.ts'

type Value = Row<typeof category>['values'][number]

const standard = resourceOperations(category, { table: 'category', json: ['values'] })

/** CRUD operations of categories (R215). Values that campaigns use can only be deactivated. */
export const categoryOperations: Operations<typeof category> = {
  ...standard,

  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const values = await withIds(tx, input.values ?? [], [])
      return standard.create(tx, actor, clientId, { ...input, values })
    })
  },

  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await standard.find(tx, actor, scope, id)
      if (input.values === undefined && !options.whole)
        return standard.patch(tx, actor, scope, id, input, options)
      const values = await withIds(tx, input.values ?? [], before.values)
      const kept = new Set(values.map(value => value.value_id))
      const removed = before.values.filter(value => !kept.has(value.value_id))
      const used = await findUses(tx, before, removed)
      if (used.length > 0) {
        const names = used.map(campaign => `"${campaign.name}"`).join(', ')
        throw invalid([fieldError('values', 'field.used_by_campaigns', { names })])
      }
      return standard.patch(tx, actor, scope, id, { ...input, values }, options)
    })
  },

  async removal(db, actor, scope, id) {
    const record = await standard.find(db, actor, scope, id)
    const references = await findUses(db, record, record.values)
    return { deletable: references.length === 0, references }
  },

  async remove(db, actor, scope, id, options) {
    assertDeletable(await categoryOperations.removal(db, actor, scope, id))
    return standard.remove(db, actor, scope, id, options)
  },
}

/**
 * Gives new values their ids.
 *
 * @throws EmmaError `invalid` for ids of another category, and for a label or an id that is there twice
 */
async function withIds(tx: Db, values: readonly Value[], stored: readonly Value[]): Promise<Value[]> {
  const known = new Set(stored.map(value => value.value_id))
  const labels = new Set<string>()
  const ids = new Set<number>()
  const faults: FieldError[] = []
  for (const [index, { value_id, label }] of values.entries()) {
    if (value_id !== null && (!known.has(value_id) || ids.has(value_id)))
      faults.push(fieldError(`values.${index}.value_id`, 'field.not_there'))
    if (labels.has(label.toLowerCase())) faults.push(fieldError(`values.${index}.label`, 'field.taken'))
    labels.add(label.toLowerCase())
    if (value_id !== null) ids.add(value_id)
  }
  if (faults.length > 0) throw invalid(faults)
  const added = values.filter(value => value.value_id === null)
  const { rows } = await sql<{ id: number }>`
    select nextval('category_value_id') as id from generate_series(1, ${added.length})`.execute(tx)
  const fresh = new Map(added.map((value, index) => [value, rows[index]?.id ?? null]))
  return values.map(value => ({ ...value, value_id: value.value_id ?? fresh.get(value) ?? null }))
}

/** Campaigns and recurring campaigns that have one of the values. */
async function findUses(
  db: Db,
  { client_id: clientId, category_id: id }: Pick<Row<typeof category>, 'category_id'> & { client_id: number },
  values: readonly Value[],
): Promise<Removal['references']> {
  const ids = values.map(value => value.value_id)
  return ids.length === 0 ? [] : findReferences(db, categoryReferences(ids), { clientId, id })
}
