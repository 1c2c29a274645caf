import { z } from 'zod'
import type { Filter } from './define-resource.ts'
import { flag, line, queryInstant } from './fields.ts'
import type { MemberColumn } from './resources/membertable.ts'
import { checkFault } from './schema-faults.ts'

/** Prefix of filters on datasource columns, whose names may equal other list parameters. */
const prefix = 'column.'

const wholeNumber = z.coerce
  .string()
  .regex(/^-?\d{1,15}$/, checkFault('field.whole_number'))
  .transform(Number)
const decimalNumber = z.coerce
  .string()
  .regex(/^-?\d{1,12}([.,]\d{1,6})?$/, checkFault('field.number'))
  .transform(text => Number(text.replace(',', '.')))

type FilterColumn = Pick<MemberColumn, 'column_name' | 'data_type' | 'is_fixed' | 'is_filterable'>

/**
 * List filters on a datasource's own columns, besides those of resources/member.ts: `column.city` for texts (contains),
 * options, numbers and booleans, `column.birthday.after` and `.before` for dates.
 */
export function columnFilters(columns: readonly FilterColumn[]): Record<string, Filter> {
  const entries = columns
    .filter(column => !column.is_fixed && column.is_filterable)
    .flatMap(column => Object.entries(filtersOf(column)))
  return Object.fromEntries(entries)
}

function filtersOf({ column_name: column, data_type: type }: FilterColumn): Record<string, Filter> {
  const name = `${prefix}${column}`
  switch (type) {
    case 'string':
    case 'text':
    case 'email':
      return { [name]: { operator: 'contains', column, value: line() } }
    case 'enum':
      return { [name]: { operator: 'eq', column, value: line() } }
    case 'int':
      return { [name]: { operator: 'eq', column, value: wholeNumber } }
    case 'decimal':
      return { [name]: { operator: 'eq', column, value: decimalNumber } }
    case 'bool':
      return { [name]: { operator: 'flag', column, value: flag } }
    case 'date':
    case 'datetime':
      return {
        [`${name}.after`]: { operator: 'after', column, value: queryInstant },
        [`${name}.before`]: { operator: 'before', column, value: queryInstant },
      }
  }
}
