import { countListHours } from '@emma/contract/actions/audience.ts'
import { learnedReport } from '@emma/contract/actions/reports.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { expectTimes, type TimeGroup, timeGroups } from '@emma/contract/learned-time.ts'
import { compareRates } from '@emma/contract/statistics/compare-rates.ts'
import { type DemoRoute, onAction } from './demo-call.ts'
import type { DemoCampaign, DemoReport, DemoSegment } from './demo-records.ts'

/** Shares of the members by best hour: morning, noon and evening. */
const shares: Record<number, number> = {
  7: 0.06,
  8: 0.1,
  9: 0.05,
  12: 0.06,
  13: 0.03,
  19: 0.07,
  20: 0.11,
  21: 0.05,
}

const hoursOf = (total: number) =>
  Array.from({ length: 24 }, (_, hour) => Math.round(total * (shares[hour] ?? 0)))

/** Learned send times: half of the members have a best hour, at which a fifth more of them click. */
export const learnedTimeRoutes: readonly DemoRoute[] = [
  ...onAction(countListHours, async ({ body }, { tables }) => {
    const segment = await tables<DemoSegment>('segment').get(body.list_id)
    if (!segment) throw new EmmaError('not_found')
    const total = segment.count ?? 0
    return { total, by_hour: hoursOf(total), quiet_from: null, quiet_to: null }
  }),
  ...onAction(learnedReport, async ({ params }, { tables }) => {
    const campaign = await tables<DemoCampaign>('campaign').get(params.campaign_id)
    const report = await tables<DemoReport>('report').get(params.campaign_id)
    if (!campaign?.learned_time || !report) throw new EmmaError('not_found')
    const { learned_time, estimated_volume: total } = campaign
    const expected = expectTimes(learned_time, { total, by_hour: hoursOf(total) }, null)
    const { control, focus, known } = expected
    const controlKnown = (control * known) / total
    const exploreKnown = known - controlKnown - focus
    const sizes: Record<TimeGroup, number> = {
      control: control - controlKnown,
      control_known: controlKnown,
      explore: total - known - (control - controlKnown),
      explore_known: exploreKnown,
      focus,
    }
    const groups = timeGroups.map(group => {
      const recipients = Math.round(sizes[group])
      const delivered = Math.round((recipients * report.nb_delivered) / Math.max(1, total))
      const lift = group === 'focus' ? 1.2 : 1
      return {
        group,
        recipients,
        delivered,
        settled: delivered,
        opened: Math.round(delivered * 0.24 * lift),
        clicked: Math.round(delivered * 0.05 * lift),
      }
    })
    const sum = (of: 'opened' | 'clicked', names: readonly TimeGroup[]) =>
      groups
        .filter(({ group }) => names.includes(group))
        .reduce(({ n, x }, group) => ({ n: n + group.settled, x: x + group[of] }), { n: 0, x: 0 })
    const compared = (['clicks', 'opens'] as const).map(by => {
      const of = by === 'opens' ? 'opened' : 'clicked'
      const [first, second] = [sum(of, ['control_known']), sum(of, ['explore_known', 'focus'])]
      const { difference: points, low, high, p } = compareRates(first, second, 0.95)
      return { by, among: 'known' as const, control: first, learned: second, points, low, high, p }
    })
    const rounded = (counts: readonly number[]) => counts.map(Math.round)
    const by_hour = { focus: rounded(expected.by_hour.focus), explore: rounded(expected.by_hour.explore) }
    return { learned_time, window_hours: 24, groups, by_hour, compared }
  }),
]
