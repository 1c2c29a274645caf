import { EmmaError } from '@emma/contract/errors.ts'
import type { Removal } from './operations.ts'

/** Types of references that the refusal describes in other words than their name. */
const labels: Record<string, string> = { dataupload: 'the running import or undo of' }

/** Throws EmmaError `in_use` naming what refers to the record. */
export function assertDeletable({ deletable, references }: Removal): void {
  if (deletable) return
  const names = references.map(({ type, name }) => `${labels[type] ?? type} "${name}"`)
  throw new EmmaError('in_use', `Still in use by ${names.join(', ')}`)
}
