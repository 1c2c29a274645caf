import type { learnedReport as contract } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type TimeGroup, timeGroups } from '@emma/contract/learned-time.ts'
import { compareRates, type Counted } from '@emma/contract/statistics/compare-rates.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Campaign } from '../campaigns/campaign-operations.ts'
import { isClicked, isOfMember, isOpened, isSent } from './counted.ts'

type Report = Answer<typeof contract>
type Figures = Report['groups'][number]

/** Hours after an email in which an open or click counts. */
const WINDOW_HOURS = 24

const LEVEL = 0.95

/**
 * Report of learned send times: what each group got, and whether it opened and clicked more than the control group.
 * @throws EmmaError `not_found` if the campaign has none
 */
export async function readLearnedReport(db: Db, campaign: Campaign): Promise<Report> {
  const { learned_time, client_id: clientId, campagne_id: campaignId } = campaign
  if (!learned_time) throw new EmmaError('not_found')
  const groups = await countGroups(db, { clientId, campaignId })
  return {
    learned_time,
    window_hours: WINDOW_HOURS,
    groups,
    by_hour: await countByHour(db, { clientId, campaignId }),
    compared: (['clicks', 'opens'] as const).flatMap(by =>
      (['known', 'all'] as const).map(among => compare(groups, by, among)),
    ),
  }
}

interface Key {
  clientId: number
  campaignId: number
}

async function countGroups(db: Db, { clientId, campaignId }: Key): Promise<Figures[]> {
  const window = sql`make_interval(hours => ${WINDOW_HOURS})`
  const { rows } = await sql<Figures>`
    with done as (
      select e.member_id, bool_or(e.type = 'bounce') as bounced,
        bool_or(${isOpened('e')} and e.ts < d.recorded_at + ${window}) as opened,
        bool_or(${isClicked('e')} and e.ts < d.recorded_at + ${window}) as clicked
      from event e
      join delivery d on d.client_id = e.client_id and d.campagne_id = e.campagne_id and d.member_id = e.member_id
      where e.client_id = ${clientId} and e.campagne_id = ${campaignId} and e.type in ('open', 'click', 'bounce')
        and ${isOfMember('e')}
      group by e.member_id
    ), recipient as (
      select d.time_group, is_delivered, is_delivered and d.recorded_at < now() - ${window} as is_settled,
        done.opened, done.clicked
      from delivery d
      left join done on done.member_id = d.member_id
      cross join lateral (select ${isSent('d')} and not coalesce(done.bounced, false) as is_delivered) as outcome
      where d.client_id = ${clientId} and d.campagne_id = ${campaignId} and d.time_group is not null
        and ${isOfMember('d')}
    )
    select time_group as "group", count(*) as recipients, count(*) filter (where is_delivered) as delivered,
      count(*) filter (where is_settled) as settled, count(*) filter (where is_settled and opened) as opened,
      count(*) filter (where is_settled and clicked) as clicked
    from recipient
    group by time_group`.execute(db)
  const nobody = { recipients: 0, delivered: 0, settled: 0, opened: 0, clicked: 0 }
  return timeGroups.map(group => rows.find(row => row.group === group) ?? { group, ...nobody })
}

async function countByHour(db: Db, { clientId, campaignId }: Key): Promise<Report['by_hour']> {
  const { rows } = await sql<{ is_focus: boolean; hour: number; emails: number }>`
    select is_focus, extract(hour from wall_clock(at, zone))::int as hour, sum(emails) as emails
    from (
      select time_group = 'focus' as is_focus, zone, date_bin('15 minutes', coalesce(recorded_at, due_at), 'epoch') as at,
        count(*) as emails
      from delivery
      where client_id = ${clientId} and campagne_id = ${campaignId} and ${isOfMember('delivery')}
        and time_group in ('focus', 'explore', 'explore_known') and state not in ('skipped', 'cancelled')
      group by 1, 2, 3
    ) as at_a_time
    group by 1, 2`.execute(db)
  const hoursOf = (isFocus: boolean) =>
    Array.from(
      { length: 24 },
      (_, hour) => rows.find(row => row.is_focus === isFocus && row.hour === hour)?.emails ?? 0,
    )
  return { focus: hoursOf(true), explore: hoursOf(false) }
}

const controls: readonly TimeGroup[] = ['control', 'control_known']
const known: readonly TimeGroup[] = ['control_known', 'explore_known', 'focus']

function compare(
  groups: readonly Figures[],
  by: 'opens' | 'clicks',
  among: 'known' | 'all',
): Report['compared'][number] {
  const compared = groups.filter(({ group }) => among === 'all' || known.includes(group))
  const sum = (isControl: boolean): Counted =>
    compared
      .filter(({ group }) => controls.includes(group) === isControl)
      .reduce(
        ({ n, x }, { settled, opened, clicked }) => ({
          n: n + settled,
          x: x + (by === 'opens' ? opened : clicked),
        }),
        { n: 0, x: 0 },
      )
  const [control, learned] = [sum(true), sum(false)]
  const { difference: points, low, high, p } = compareRates(control, learned, LEVEL)
  return { by, among, control, learned, points, low, high, p }
}
