import { type FieldError, invalid } from '@emma/contract/errors.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { maximumLength, reservedNames } from '../members/member-columns.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'

/** Changes between the current and the written schema. `index`: position of the column in the input, for errors. */
export interface SchemaPlan {
  added: { column: MemberColumn; index: number }[]
  removed: MemberColumn[]
  kept: { before: MemberColumn; after: MemberColumn; index: number }[]
}

/**
 * Compares the columns of a datasource with the written schema. Columns are matched by schema_id, else by name. A name
 * never changes, because segments and templates use it (the label may). Omitted fixed columns stay, other omitted
 * columns are removed.
 *
 * @throws EmmaError `invalid` with each fault (`emmamembertableschema.3.column_name`)
 */
export function planSchema(current: readonly MemberColumn[], requested: readonly MemberColumn[]): SchemaPlan {
  const errors: FieldError[] = []
  const plan: SchemaPlan = { added: [], removed: [], kept: [] }
  const seen = new Set<string>()
  for (const [index, column] of requested.entries()) {
    const refuse: Refuse = (field, reason) =>
      errors.push({ field: `emmamembertableschema.${index}.${field}`, ...reason })
    if (seen.has(column.column_name))
      refuse('column_name', fault('field.column_twice', { column: column.column_name }))
    seen.add(column.column_name)
    const before = findColumn(current, column)
    if (before) {
      checkKept(before, column, refuse)
      plan.kept.push({ before, after: before.is_fixed ? onlyWording(before, column) : column, index })
    } else {
      checkNew(column, refuse)
      plan.added.push({ column, index })
    }
    checkKind(column, refuse)
  }
  if (errors.length > 0) throw invalid(errors)
  const kept = new Set(plan.kept.map(({ before }) => before.column_name))
  plan.removed = current.filter(column => !column.is_fixed && !kept.has(column.column_name))
  return plan
}

type Refuse = (field: string, reason: Fault) => void

function findColumn(current: readonly MemberColumn[], requested: MemberColumn): MemberColumn | undefined {
  const byId =
    requested.schema_id === undefined ? undefined : current.find(one => one.schema_id === requested.schema_id)
  return byId ?? current.find(one => one.column_name === requested.column_name)
}

function checkKept(before: MemberColumn, after: MemberColumn, refuse: Refuse): void {
  if (before.column_name !== after.column_name)
    refuse('column_name', fault('field.column_renamed', { column: before.column_name }))
  if (before.is_fixed && before.data_type !== after.data_type)
    refuse('data_type', fault('field.column_type_fixed', { column: before.column_name }))
}

function checkNew(column: MemberColumn, refuse: Refuse): void {
  if (reservedNames.has(column.column_name))
    refuse('column_name', fault('field.column_reserved', { column: column.column_name }))
  if (column.is_key) refuse('is_key', fault('field.column_key', { column: column.column_name }))
}

function checkKind(column: MemberColumn, refuse: Refuse): void {
  if (column.data_type !== 'enum') return
  if (column.options.length === 0)
    refuse('options', fault('field.options_none', { column: column.column_name }))
  if (new Set(column.options).size < column.options.length)
    refuse('options', fault('field.options_twice', { column: column.column_name }))
  const limit = maximumLength(column)
  const long = column.options.find(option => option.length > limit)
  if (long !== undefined)
    refuse('options', fault('field.option_long', { column: column.column_name, option: long, max: limit }))
}

/** Of a fixed column only label, position and flags can be changed. */
function onlyWording(before: MemberColumn, after: MemberColumn): MemberColumn {
  return {
    ...before,
    label: after.label,
    position: after.position,
    is_filterable: after.is_filterable,
    is_pii: after.is_pii,
  }
}
