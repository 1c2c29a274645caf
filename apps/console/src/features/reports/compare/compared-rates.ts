import type { SalesRow } from '@emma/contract/actions/sales-view.ts'
import { shareOf } from '../../../shell/resource/share-of.ts'
import { bouncesOf } from '../report-query.ts'

const summed = [
  'nb_send',
  'nb_delivered',
  'nb_hardbounce',
  'nb_softbounce',
  'nb_otherbounce',
  'nb_open',
  'nb_click',
  'nb_unsubscribe',
  'nb_complaint',
] as const

/** A report in a comparison. */
export type Compared = Pick<SalesRow, 'campagne_id' | 'name' | 'started_at' | (typeof summed)[number]>

interface ComparedRate {
  id: 'delivered' | 'opened' | 'clicked' | 'click_to_open' | 'bounced' | 'unsubscribed' | 'complained'
  count: (row: Compared) => number | null
  all: (row: Compared) => number
  /** Which rate is best. */
  best: 'highest' | 'lowest'
}

export const comparedRates: readonly ComparedRate[] = [
  { id: 'delivered', count: row => row.nb_delivered, all: row => row.nb_send, best: 'highest' },
  { id: 'opened', count: row => row.nb_open, all: row => row.nb_delivered, best: 'highest' },
  { id: 'clicked', count: row => row.nb_click, all: row => row.nb_delivered, best: 'highest' },
  { id: 'click_to_open', count: row => row.nb_click, all: row => row.nb_open, best: 'highest' },
  { id: 'bounced', count: bouncesOf, all: row => row.nb_send, best: 'lowest' },
  { id: 'unsubscribed', count: row => row.nb_unsubscribe, all: row => row.nb_delivered, best: 'lowest' },
  { id: 'complained', count: row => row.nb_complaint, all: row => row.nb_delivered, best: 'lowest' },
]

/** Rate of a report, 0 … 1; null without a base, or if it is hidden. */
export function rateOf({ count, all }: ComparedRate, row: Compared): number | null {
  const counted = count(row)
  return counted === null ? null : shareOf(counted, all(row))
}

/** The best rate of the reports; null if they do not differ. */
export function bestOf(rate: ComparedRate, rows: readonly Compared[]): number | null {
  const rates = rows.flatMap(row => rateOf(rate, row) ?? [])
  const low = Math.min(...rates)
  const high = Math.max(...rates)
  if (rates.length < 2 || low === high) return null
  return rate.best === 'highest' ? high : low
}

/** All reports as one: members of several campaigns count in each. */
export function totalOf(rows: readonly Compared[], name: string): Compared {
  const sums = summed.map(figure => [figure, rows.reduce((sum, row) => sum + (row[figure] ?? 0), 0)])
  const hidesComplaints = rows.every(row => row.nb_complaint === null)
  return {
    campagne_id: 0,
    name,
    started_at: null,
    ...(Object.fromEntries(sums) as Record<(typeof summed)[number], number>),
    ...(hidesComplaints && { nb_complaint: null }),
  }
}
