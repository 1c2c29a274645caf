import type { FaultCode, FaultValues } from '@emma/contract/faults.ts'

/** One result of the campaign check. `field`: the campaign field to fix; `message_id` leads to the template editor. */
export interface Finding {
  code: string
  field: string
  message: string
  /** `message` as data: `code` names only the type of finding. */
  reason: FaultCode
  values?: FaultValues
}

/** A finding of the check, and whether it forbids the start. */
export type BlockingFinding = Finding & { blocks: boolean }
