import { approvedTypes } from '@emma/contract/campaign-states.ts'
import { type RawBuilder, sql } from 'kysely'

/**
 * SQL condition: a campaign belongs to a report group of its client. It is one of the group's campaigns, or it was
 * started in the group's period and has a value of each category that the group has values of.
 *
 * @param campaign alias of `campaign`
 * @param group alias of `reporting_group`
 */
export function isInGroup(campaign: string, group: string): RawBuilder<boolean> {
  const c = (column: string) => sql.ref(`${campaign}.${column}`)
  const g = (column: string) => sql.ref(`${group}.${column}`)
  const midnight = (day: RawBuilder<unknown>) =>
    sql`(${day})::timestamp at time zone (select timezone from client where client_id = ${g('client_id')})`
  return sql`(${c('client_id')} = ${g('client_id')} and (
    ${c('campagne_id')} = any(${g('campaign_ids')})
    or (
      ${c('category_value_ids')} <> '{}' and ${c('category_value_ids')} && ${g('category_value_ids')}
      and ${c('ctype')} = any(${approvedTypes}::int[]) and ${c('started_at')} is not null
      and (${g('started_from')} is null or ${c('started_at')} >= ${midnight(sql`${g('started_from')}`)})
      and (${g('started_to')} is null or ${c('started_at')} < ${midnight(sql`${g('started_to')} + 1`)})
      and not exists (
        select from jsonb_array_elements(${g('category_value_sets')}) as wanted (ids)
        where not array(select id::bigint from jsonb_array_elements_text(wanted.ids) as id) && ${c('category_value_ids')}
      )
    )
  ))`
}
