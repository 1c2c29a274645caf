import type { RecordForm } from './use-record-form.ts'

/**
 * A form with at least these values, for components that contain some of its inputs: unlike `RecordForm`, forms with
 * further values can be passed.
 */
export type FormPart<V extends object> = { [P in keyof RecordForm<V>]: RecordForm<V>[P] }
