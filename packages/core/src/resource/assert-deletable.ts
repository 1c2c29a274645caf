import { EmmaError } from '@emma/contract/errors.ts'
import type { Removal } from './operations.ts'

/** Labels of reference types whose name is not clear in the error text. */
const labels: Record<string, string> = { dataupload: 'the running import or undo of' }

/** Throws EmmaError `in_use` that names the references. */
export function assertDeletable({ deletable, references }: Removal): void {
  if (deletable) return
  const names = references.map(({ type, name }) => `${labels[type] ?? type} "${name}"`)
  throw new EmmaError('in_use', `Still in use by ${names.join(', ')}`)
}
