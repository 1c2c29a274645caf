import { type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { Split } from '@emma/contract/split.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

interface SplitOf {
  client_id: number
  list_id: number | null
  split: Split | null
}

/**
 * Checks what depends on several fields of an A/B test, or on other records.
 * @throws EmmaError `invalid` with the faults of all fields
 */
export async function assertSplit(db: Db, campaign: SplitOf): Promise<void> {
  const { split } = campaign
  if (split === null) return
  const faults = [...combinationFaults(split), ...(await referenceFaults(db, campaign, split))]
  if (faults.length > 0) throw invalid(faults)
}

function combinationFaults(split: Split): FieldError[] {
  const { variants, sample_percent: percent, holdout_percent: holdout } = split
  const faults: FieldError[] = []
  if (variants.length === 0 && holdout === 0) faults.push(fieldError('split.variants', 'field.too_few_items'))
  const seen = new Set([JSON.stringify(noChange(split))])
  for (const [index, variant] of variants.entries()) {
    const text = JSON.stringify(variant)
    if (seen.has(text)) faults.push(fieldError(`split.variants.${index}`, 'field.same_variant'))
    seen.add(text)
  }
  // The winning time has passed when it is known.
  if (percent < 100 && variants.some(({ delay_minutes: delay }) => delay > 0))
    faults.push(fieldError('split.sample_percent', 'field.whole_audience'))
  if (split.winner_by === 'conversions' && variants.length > 0 && split.goal_list_id === null)
    faults.push(fieldError('split.goal_list_id', 'field.required'))
  return faults
}

/** A variant without any difference, in the order of the fields of the given ones. */
function noChange({ variants: [first] }: Split): Record<string, unknown> {
  return Object.fromEntries(Object.keys(first ?? {}).map(key => [key, key === 'delay_minutes' ? 0 : null]))
}

async function referenceFaults(
  db: Db,
  { client_id: clientId, list_id: listId }: SplitOf,
  split: Split,
): Promise<FieldError[]> {
  const wanted = split.variants.flatMap(({ message_id: id }) => (id === null ? [] : [id]))
  const { rows } = await sql<{ messages: number[]; goal: boolean; fits: boolean }>`
    select array(
        select message_id from message
        where client_id = ${clientId} and message_id = any(${wanted}::bigint[]) and deleted_at is null
      ) as messages,
      exists (
        select from list where client_id = ${clientId} and list_id = ${split.goal_list_id} and deleted_at is null
      ) as goal,
      (
        select count(distinct member_table_id) from list
        where client_id = ${clientId} and list_id in (${split.goal_list_id}, ${listId})
      ) <= 1 as fits`.execute(db)
  const messages = new Set(rows[0]?.messages.map(Number))
  const faults = split.variants.flatMap(({ message_id: id }, index) =>
    id === null || messages.has(id)
      ? []
      : [fieldError(`split.variants.${index}.message_id`, 'field.not_there')],
  )
  if (split.goal_list_id !== null && !rows[0]?.goal)
    faults.push(fieldError('split.goal_list_id', 'field.not_there'))
  // Its members are compared with the recipients.
  else if (!rows[0]?.fits) faults.push(fieldError('split.goal_list_id', 'field.same_datasource'))
  return faults
}
