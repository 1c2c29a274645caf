import { EmmaError } from '@emma/contract/errors.ts'
import type { Removal } from './operations.ts'
import { fault } from '@emma/contract/faults.ts'

/** Labels of reference types whose name is not clear in the error text. */
const labels: Record<string, string> = {
  dataupload: 'the running import or undo of',
  recurring: 'recurring campaign',
}

/** Throws EmmaError `in_use` that names the references. */
export function assertDeletable({ deletable, references }: Removal): void {
  if (deletable) return
  const [first, ...others] = references
  if (first?.type === 'dataupload' && others.length === 0)
    throw new EmmaError('in_use', fault('refusal.in_use_by_upload', { names: `"${first.name}"` }))
  const names = references.map(({ type, name }) => `${labels[type] ?? type} "${name}"`)
  throw new EmmaError('in_use', fault('refusal.in_use', { names: names.join(', ') }))
}
