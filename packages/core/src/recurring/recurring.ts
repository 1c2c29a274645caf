import type { Row } from '@emma/contract/resource-schemas.ts'
import type { recurring } from '@emma/contract/resources/recurring.ts'

export type Recurring = Row<typeof recurring>

/** Whether a column can be the date of a trigger. */
export function isDateType(type: string): boolean {
  return type === 'date' || type === 'datetime'
}
