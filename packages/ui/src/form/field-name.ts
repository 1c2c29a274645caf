import type { RecordForm } from './use-record-form.ts'

/**
 * Names of the fields whose values have a type: `FieldName<Values, string
 * null>`.
 */
export type FieldName<V, T> = {
  [K in keyof V & string]: Exclude<V[K], undefined> extends T ? K : never
}[keyof V & string]

/** Common props of all form fields. */
export interface FieldProps<V extends object, T> {
  form: RecordForm<V>
  name: FieldName<V, T>
  /** One line below the label. */
  description?: string
  isDisabled?: boolean
}
