import type { FaultCode, FaultValues } from '@emma/contract/faults.ts'

/** One result of the campaign check. `field`: the campaign field to fix; `message_id` leads to the template editor. */
export interface Finding {
  code: string
  field: string
  message: string
  /** The content of `message` as data: `code` gives only its kind. */
  reason: FaultCode
  values?: FaultValues
}
