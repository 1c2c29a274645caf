import type { RecordForm } from './use-record-form.ts'

/** Fields of a form whose values are of a kind: `FieldName<Values, string | null>`. */
export type FieldName<V, T> = {
  [K in keyof V & string]: Exclude<V[K], undefined> extends T ? K : never
}[keyof V & string]

/** What every input of a form takes. */
export interface FieldProps<V extends object, T> {
  form: RecordForm<V>
  name: FieldName<V, T>
  /** One line below the label: what is expected, or what it does. */
  description?: string
  isDisabled?: boolean
}
