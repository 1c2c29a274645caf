import type { FaultCode, FaultValues } from '@emma/contract/faults.ts'

/** One thing the check found. `field`: where to mend it; `message_id` leads to the template's editor. */
export interface Finding {
  code: string
  field: string
  message: string
  /** What `message` says, as data, where `code` tells only its kind. */
  reason?: FaultCode
  values?: FaultValues
}
