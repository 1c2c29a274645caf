import { type RawBuilder, sql } from 'kysely'
import { transactionalTypes } from '@emma/contract/campaign-states.ts'

/** Classes that overflow into others do so over this many at most. */
const MOST_ROUTES = 4

/**
 * SQL query of the sending routes of campaigns, in the order of use: the mail class, its overflow class, and so on.
 * Inactive overflow classes are left out. A campaign's ESP login has no overflow.
 * @param campaigns query with `client_id, campagne_id, ctype, mailclass_id, esp_id`
 * @param columns of `m`, the mail class, or `route`
 */
export function selectRoutes(campaigns: RawBuilder<unknown>, columns: RawBuilder<unknown>) {
  return sql`
    with recursive route as (
      select c.client_id, c.campagne_id, c.ctype, c.mailclass_id, c.esp_id, 1 as step from (${campaigns}) c
      union all
      select w.client_id, w.campagne_id, w.ctype, m.overflow_mailclass_id, null, step + 1
      from route w
      join mailclass m using (client_id, mailclass_id)
      where m.overflow_mailclass_id is not null and w.esp_id is null and step < ${MOST_ROUTES}
    )
    select ${columns}, route.client_id, route.campagne_id, route.esp_id,
      coalesce(route.mailclass_id, 0) as mailclass_id, m.mailclass_id is not null as has_class,
      route.ctype = any(${transactionalTypes}::int[]) as is_transactional,
      service.id as service_id, coalesce(service.max_mails, 0) as service_mails,
      coalesce(service.max_unit, 'day') as service_unit,
      wall_clock(now(), client.timezone)::date::text as warmup_date,
      wall_clock(now(), client.timezone)::date - m.warmup_start as warmup_day
    from route
    left join mailclass m using (client_id, mailclass_id)
    join client using (client_id)
    left join esp_login service on service.client_id = route.client_id
      and service.id = coalesce(route.esp_id, case when m.transport = 'esp' then m.login_ids[1] end)
    where route.step = 1 or m.active and m.deleted_at is null
    order by route.client_id, route.campagne_id, route.step`
}
