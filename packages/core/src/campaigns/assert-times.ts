import { type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { LearnedTime } from '@emma/contract/learned-time.ts'
import { hasRest, type Split } from '@emma/contract/split.ts'

interface Times {
  send_order: string
  order_column: string | null
  learned_time: LearnedTime | null
  split: Split | null
}

/**
 * Checks what depends on several fields of send time and order.
 * @throws EmmaError `invalid` with the faults of all fields
 */
export function assertTimes({ send_order, order_column, split, learned_time }: Times): void {
  const faults: FieldError[] = []
  if (send_order === 'column' && order_column === null)
    faults.push(fieldError('order_column', 'field.required'))
  // Who waits for a winner has no planned hour any more.
  if (
    learned_time &&
    split &&
    (hasRest(split) || split.variants.some(({ delay_minutes: delay }) => delay > 0))
  )
    faults.push(fieldError('learned_time', 'field.times_in_test'))
  if (faults.length > 0) throw invalid(faults)
}
