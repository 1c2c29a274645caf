import { ApiError } from '@emma/client/api-error.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { TFunction } from 'i18next'

type Translate = TFunction

/** The validated parts of a column. */
type Column = Pick<MemberColumn, 'label' | 'column_name' | 'data_type'> &
  Partial<Pick<MemberColumn, 'options'>>

const nameRule = /^[a-z][a-z0-9_]{0,62}$/

/** Validation errors of columns by index, checked before the request is sent. */
export function columnFaults(columns: readonly Column[], t: Translate): Map<number, string> {
  const faults = new Map<number, string>()
  const seen = new Set<string>()
  for (const [index, column] of columns.entries()) {
    const fault = faultOf(column, seen)
    seen.add(column.column_name)
    if (fault) faults.set(index, t(`audience.membertable.faults.${fault}`, { name: column.column_name }))
  }
  return faults
}

function faultOf(column: Column, seen: ReadonlySet<string>): string | null {
  if (column.label.trim() === '') return 'label'
  if (!nameRule.test(column.column_name)) return 'name'
  if (seen.has(column.column_name)) return 'twice'
  if (column.data_type === 'enum' && !column.options?.length) return 'options'
  return null
}

/**
 * Splits a server error: its column errors (`emmamembertableschema.3.data_type`) by index, and the error with the
 * columns' titles in place of their indexes.
 */
export function named(
  error: unknown,
  titleOf: (index: number) => string,
): { faults: Map<number, string>; error: unknown } {
  const faults = new Map<number, string>()
  if (!(error instanceof ApiError)) return { faults, error }
  for (const { field, message } of error.fields) {
    const place = /^emmamembertableschema\.(\d+)(\.|$)/.exec(field)?.[1]
    if (place !== undefined && !faults.has(Number(place))) faults.set(Number(place), message)
  }
  if (faults.size === 0) return { faults, error }
  const told = [...faults].map(([index, message]) => `${titleOf(index)}: ${message}`).join('; ')
  const others = error.fields.filter(({ field }) => !field.startsWith('emmamembertableschema.'))
  const { message, status, code, url, body } = error
  const fields = [...others, { field: 'emmamembertableschema', message: told }]
  return { faults, error: new ApiError(message, { status, code, url, body, fields }) }
}
