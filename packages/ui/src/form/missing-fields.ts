import { isMissing } from '@emma/contract/resource-schemas.ts'

/** A required field, or alternatives of which one is required: `['relay_host', 'copy_from']`. */
export type RequiredField<F extends string = string> = F | readonly F[]

export interface MissingField {
  /** One field, or the alternatives. */
  fields: readonly string[]
  /** The label, alternatives joined: "Relay host or Copy from". */
  label: string
}

/** The required fields without a value (R276): empty text, null, undefined or an empty array. */
export function missingFields(
  values: Readonly<Record<string, unknown>>,
  required: readonly RequiredField[],
  labels: Readonly<Record<string, string | undefined>>,
  or: string,
): MissingField[] {
  return required.flatMap(entry => {
    const fields = typeof entry === 'string' ? [entry] : entry
    if (!fields.every(field => isMissing(values[field]))) return []
    return [{ fields, label: fields.map(field => labels[field] ?? field).join(` ${or} `) }]
  })
}

/** Whether a field has the required marker; alternatives have it while the others are missing. */
export function isMarked(
  field: string,
  values: Readonly<Record<string, unknown>>,
  required: readonly RequiredField[],
): boolean {
  return required.some(entry =>
    typeof entry === 'string'
      ? entry === field
      : entry.includes(field) && entry.every(other => other === field || isMissing(values[other])),
  )
}
