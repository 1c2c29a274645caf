import { type DataField, dataFields } from '@emma/contract/transactional/data-fields.ts'

export type DataFieldFault = 'name' | 'twice' | 'deep' | 'many'

/** The first fault of field definitions; null without. */
export function faultOfDataFields(fields: readonly DataField[]): DataFieldFault | null {
  const issue = dataFields.safeParse(fields).error?.issues[0]
  if (!issue) return null
  if (issue.message === 'field.taken') return 'twice'
  if (issue.message === 'field.too_deep') return 'deep'
  return issue.message === 'field.too_many_items' || issue.code === 'too_big' ? 'many' : 'name'
}
