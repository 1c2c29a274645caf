import { campaignState } from '@emma/contract/campaign-states.ts'
import type { DemoCampaign, DemoReport } from './demo-records.ts'
import { createRandom, type Random } from './seed/random.ts'

const hour = 3_600_000

/** Hours during which opens and clicks are counted. */
const readersFor = 48

/**
 * Report of a campaign at its current progress; deterministic for the same progress. Open and click rates are between
 * 20 and 30 % (R312), of sent and of delivered messages.
 */
export function reportOf(campaign: DemoCampaign, now: Date): DemoReport {
  const random = createRandom(campaign.campagne_id)
  const send = campaign.progress_cur
  const nb_hardbounce = part(send, random.share(0.003, 0.006))
  const nb_softbounce = part(send, random.share(0.003, 0.006))
  const nb_otherbounce = part(send, random.share(0.0005, 0.001))
  const delivered = send - nb_hardbounce - nb_softbounce - nb_otherbounce
  const opens = part(delivered, random.share(0.255, 0.295))
  const clicks = part(delivered, random.share(0.21, 0.245))
  const nb_preblock = part(campaign.estimated_volume, 0.006)
  const left = campaign.estimated_volume - send
  const isOver = [campaignState.stopped, campaignState.finished].some(state => state === campaign.valid)
  const figures = {
    nb_recipients: campaign.estimated_volume + nb_preblock,
    nb_preblock,
    nb_pending: isOver ? 0 : left,
    nb_unknown: 0,
    nb_cancelled: isOver ? left : 0,
    nb_send: send,
    nb_delivered: delivered,
    nb_hardbounce,
    nb_softbounce,
    nb_otherbounce,
    nb_open: opens,
    nb_open_total: part(opens, 1.45),
    nb_open_machine: part(delivered, 0.11),
    nb_open_desktop: part(opens, 0.41),
    nb_open_mobile: opens - part(opens, 0.41),
    nb_click: clicks,
    nb_click_total: part(clicks, 1.2),
    nb_click_machine: part(delivered, 0.015),
    nb_click_desktop: part(clicks, 0.46),
    nb_click_mobile: clicks - part(clicks, 0.46),
    nb_unsubscribe: part(delivered, random.share(0.001, 0.002)),
    nb_complaint: part(delivered, random.share(0.0001, 0.0003)),
  }
  const {
    campagne_id,
    client_id,
    name,
    member_table_id,
    valid,
    startdate,
    started_at,
    finished_at,
    estimated_volume,
    learned_time,
    split,
  } = campaign
  return {
    campagne_id,
    has_split: split !== null,
    has_learned_time: learned_time !== null,
    client_id: client_id ?? 0,
    name,
    member_table_id,
    valid,
    startdate,
    started_at,
    finished_at,
    estimated_volume,
    progress_cur: send,
    ...figures,
    opens_clicks_over_time: overTime(campaign, figures, now),
    links: linksOf(campaign, figures),
    devices: shared(opens, { desktop: 0.41, mobile: 0.51, tablet: 0.08 }),
    clients: shared(opens, { Gmail: 0.34, 'Apple Mail': 0.31, Outlook: 0.19, GMX: 0.1, Thunderbird: 0.06 }),
    bounces: [
      { class: 'bad-mailbox', hard: true, people: nb_hardbounce, replies: ['550 5.1.1 User unknown'] },
      { class: 'quota', hard: false, people: nb_softbounce, replies: ['452 4.2.2 Mailbox full'] },
      { class: 'other', hard: false, people: nb_otherbounce, replies: null },
    ],
    preblocks: shared(nb_preblock, { unsubscribed: 0.6, hardbounce: 0.25, blacklist_client: 0.15 }).map(
      ({ name: reason, people }) => ({ reason, count: people, sample: [] }),
    ),
    providers: providersOf(figures, random),
  }
}

type Figures = Pick<
  DemoReport,
  | 'nb_send'
  | 'nb_delivered'
  | 'nb_open_total'
  | 'nb_click_total'
  | 'nb_click'
  | 'nb_hardbounce'
  | 'nb_softbounce'
>

/** Opens and clicks by hour; most fall in the first few hours. */
function overTime(
  { started_at }: DemoCampaign,
  figures: Figures,
  now: Date,
): DemoReport['opens_clicks_over_time'] {
  if (started_at === null) return []
  const start = Math.floor(Date.parse(started_at) / hour) * hour
  const hours = Math.min(readersFor, Math.max(1, Math.ceil((now.getTime() - start) / hour)))
  const weights = Array.from({ length: hours }, (_, at) => Math.exp(-at / 8) + 0.02)
  const opens = spread(figures.nb_open_total, weights)
  const clicks = spread(figures.nb_click_total, weights)
  return weights.map((_, at) => ({
    ts: new Date(start + at * hour).toISOString(),
    opens: opens[at] ?? 0,
    clicks: clicks[at] ?? 0,
  }))
}

function linksOf({ message }: DemoCampaign, figures: Figures): DemoReport['links'] {
  const shares = [0.72, 0.19, 0.09]
  return (message?.urls ?? []).map(({ link_index, name, url }, at) => {
    const unique = part(figures.nb_click, shares[at] ?? 0.01)
    return {
      link_index,
      name,
      url,
      unique,
      total: part(unique, 1.2),
      desktop: part(unique, 0.46),
      mobile: unique - part(unique, 0.46),
      machine: part(unique, 0.05),
    }
  })
}

const providers = ['Gmail', 'GMX / WEB.DE', 'Microsoft', 'Yahoo / AOL', 'iCloud', 'T-Online']

function providersOf(
  { nb_send, nb_hardbounce, nb_softbounce }: Figures,
  random: Random,
): DemoReport['providers'] {
  const weights = [34, 24, 18, 9, 9, 6]
  const [sent, hard, soft] = [nb_send, nb_hardbounce, nb_softbounce].map(sum => spread(sum, weights))
  return providers.map((name, at) => ({
    provider_id: at + 1,
    name,
    sent: sent?.[at] ?? 0,
    accepted: (sent?.[at] ?? 0) - (hard?.[at] ?? 0) - (soft?.[at] ?? 0),
    bounced_later: 0,
    deferred: 0,
    hard: hard?.[at] ?? 0,
    soft: soft?.[at] ?? 0,
    unknown: 0,
    avg_s: random.between(2, 14) / 10,
  }))
}

function part(whole: number, share: number): number {
  return Math.round(whole * share)
}

function shared(whole: number, shares: Record<string, number>): { name: string; people: number }[] {
  const people = spread(whole, Object.values(shares))
  return Object.keys(shares).map((name, at) => ({ name, people: people[at] ?? 0 }))
}

/** Splits an integer into integers in proportion to their weights; their sum is the whole. */
export function spread(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let given = 0
  let reached = 0
  return weights.map(weight => {
    reached += weight
    const upTo = sum === 0 ? 0 : Math.round((whole * reached) / sum)
    const own = upTo - given
    given = upTo
    return own
  })
}
