import type { Fault } from '@emma/contract/faults.ts'
import { type RawBuilder, sql } from 'kysely'

/** Assignments for an update of `campaign`: why it does not continue, as text, code and values; null: no error. */
export function assignError(reason: Fault | null): RawBuilder<unknown> {
  const values = reason && JSON.stringify(reason.values ?? {})
  return sql`error = ${reason?.message ?? null}::text, error_code = ${reason?.code ?? null}::text,
    error_values = ${values}::jsonb`
}
