import { useState } from 'react'
import type { RecordForm } from './use-record-form.ts'

/**
 * The form for some of its fields: the same object until one of them or the state of the form changes, so that a
 * component in `memo` does not render with changes of other fields. Values of those can be out of date in it.
 */
export function useFormPart<V extends object>(
  form: RecordForm<V>,
  fields: readonly (keyof V & string)[],
): RecordForm<V> {
  const [part, setPart] = useState(form)
  if (isSamePart(part, form, fields)) return part
  setPart(form)
  return form
}

function isSamePart<V extends object>(
  part: RecordForm<V>,
  form: RecordForm<V>,
  fields: readonly (keyof V & string)[],
): boolean {
  if (part === form) return true
  if (part.attempts !== form.attempts || part.problems.length !== form.problems.length) return false
  return fields.every(name => {
    const [before, now] = [part.field(name), form.field(name)]
    return (
      part.values[name] === form.values[name] &&
      before.label === now.label &&
      before.error === now.error &&
      before.isDisabled === now.isDisabled
    )
  })
}
