import { campaignState, campaignType } from '@emma/contract/campaign-states.ts'
import { blankCampaign } from '../blank-campaign.ts'
import type { DemoCampaign, DemoDomain, DemoMailclass, DemoSegment, DemoTemplate } from '../demo-records.ts'
import { createRandom, daysBack, type Random } from './random.ts'
import { campaignKey } from './seed-installation.ts'
import { birthdayGreeting, lastMonday, mondayNewsletter } from './seed-recurring.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

/** Records that the campaigns reference. */
interface Parts {
  domains: DemoDomain[]
  mailclasses: DemoMailclass[]
  segments: DemoSegment[]
  templates: DemoTemplate[]
}

const { regular, recurring, transactional } = campaignType
const { draft, scheduled, finished, paused, stopped } = campaignState

const DAY_MS = 86_400_000

/** Weeks in which the Monday newsletter was sent. */
const PAST_RUNS = 4

/** Type and state of the campaigns, newest first, before `withSeedStates`. */
const plan = [
  { ctype: regular, valid: finished, daysAgo: 0 },
  { ctype: regular, valid: finished, daysAgo: 2 },
  { ctype: regular, valid: finished, daysAgo: 6 },
  { ctype: regular, valid: finished, daysAgo: 9 },
  { ctype: recurring, valid: scheduled, daysAgo: -5 },
  { ctype: regular, valid: paused, daysAgo: 12 },
  { ctype: regular, valid: stopped, daysAgo: 16 },
  { ctype: regular, valid: draft, daysAgo: null },
  { ctype: recurring, valid: finished, daysAgo: 3 },
  { ctype: transactional, valid: finished, daysAgo: 4 },
  { ctype: regular, valid: finished, daysAgo: 24 },
  { ctype: regular, valid: finished, daysAgo: 31 },
] as const

/** The campaigns, newest first, with volumes (R312) and states (R311). */
export function seedCampaigns(seeding: Seeding, parts: Parts): DemoCampaign[] {
  return [
    ...withSeedStates(plan.map((_, position) => campaignAt(seeding, parts, position))),
    ...Array.from({ length: PAST_RUNS }, (_, back) => runOf(seeding, parts, back)),
  ]
}

/** R311: of type 1, the newest is running and the next three are finished; all others keep their state. */
function withSeedStates(campaigns: readonly DemoCampaign[]): DemoCampaign[] {
  const newest = campaigns
    .filter(({ ctype }) => ctype === regular)
    .toSorted((one, other) => other.campagne_id - one.campagne_id)
    .slice(0, 4)
    .map(({ campagne_id }) => campagne_id)
  return campaigns.map(campaign => {
    const rank = newest.indexOf(campaign.campagne_id)
    if (rank === -1) return campaign
    if (rank > 0) return { ...campaign, valid: finished, progress_cur: campaign.estimated_volume }
    return {
      ...campaign,
      valid: campaignState.running,
      progress_cur: Math.round(campaign.estimated_volume * 0.62),
      finished_at: null,
    }
  })
}

function campaignAt(seeding: Seeding, parts: Parts, position: number): DemoCampaign {
  const { texts, random, now, person } = seeding
  const { ctype, valid, daysAgo } = plan[position] ?? plan[0]
  const key = campaignKey(plan.length, position)
  const volume = demoVolume(random)
  const start = daysAgo === null ? null : startOf(now, daysAgo, random)
  const hasBegun = start !== null && start <= now
  const isService = ctype === transactional
  const domain = parts.domains[isService ? 1 : 0] ?? null
  const mailclass = parts.mailclasses[isService ? 1 : 0] ?? null
  const list = parts.segments[position % parts.segments.length] ?? null
  const message = parts.templates[position] ?? null
  const isOver = valid === finished || valid === stopped
  return {
    ...blankCampaign,
    exclude_list_ids: [],
    blacklist_ids: [],
    category_value_ids: isService ? [] : [firstKey + (position % 3)],
    ...common(daysBack(now, Math.max(daysAgo ?? 1, 0) + 2), person.id),
    created_at: new Date(now.getTime() - (position + 1) * 3_600_000).toISOString(),
    campagne_id: key,
    recurring_id: ctype === recurring ? birthdayGreeting : null,
    ctype,
    valid,
    name: texts.mails[position]?.name ?? '',
    member_table_id: list?.member_table_id ?? null,
    list_id: list?.list_id ?? null,
    message_id: message?.message_id ?? null,
    domain_id: domain?.domain_id ?? null,
    mailclass_id: mailclass?.mailclass_id ?? null,
    fromadr: domain === null ? null : `hello@${domain.name}`,
    fromname: texts.sender,
    reply_to: domain === null ? null : `service@${domain.name}`,
    startdate: start?.toISOString() ?? null,
    estimated_volume: volume,
    combined_volume: volume,
    progress_cur: hasBegun ? progressOf(valid, volume, random) : 0,
    manager_id: person.id,
    started_at: hasBegun ? start.toISOString() : null,
    finished_at: hasBegun && isOver ? new Date(start.getTime() + 3 * 3_600_000).toISOString() : null,
    domain,
    list,
    mailclass,
    message,
  }
}

/** A finished run of the Monday newsletter, `back` weeks before the last one. */
function runOf({ texts, now, person }: Seeding, parts: Parts, back: number): DemoCampaign {
  const key = firstKey - 1 - back
  const volume = demoVolume(createRandom(key))
  const start = new Date(lastMonday(now).getTime() - back * 7 * DAY_MS)
  const [domain = null] = parts.domains
  const [mailclass = null] = parts.mailclasses
  const [list = null] = parts.segments
  const [message = null] = parts.templates
  return {
    ...blankCampaign,
    exclude_list_ids: [],
    blacklist_ids: [],
    category_value_ids: [],
    ...common(start, person.id),
    campagne_id: key,
    recurring_id: mondayNewsletter,
    ctype: recurring,
    valid: finished,
    name: `${texts.recurring[0]} ${start.toISOString().slice(0, 10)} 09:00`,
    member_table_id: list?.member_table_id ?? null,
    list_id: list?.list_id ?? null,
    message_id: message?.message_id ?? null,
    domain_id: domain?.domain_id ?? null,
    mailclass_id: mailclass?.mailclass_id ?? null,
    fromadr: 'news@demo.example',
    fromname: texts.sender,
    startdate: start.toISOString(),
    estimated_volume: volume,
    combined_volume: volume,
    progress_cur: volume,
    manager_id: person.id,
    started_at: start.toISOString(),
    finished_at: new Date(start.getTime() + 2 * 3_600_000).toISOString(),
    domain,
    list,
    mailclass,
    message,
  }
}

/** Number of recipients of a campaign (R312). */
export function demoVolume(random: Random): number {
  return random.between(250_000, 300_000)
}

/** Start time; a campaign of today started three hours ago, regardless of the time of day. */
function startOf(now: Date, daysAgo: number, random: Random): Date {
  if (daysAgo === 0) return new Date(now.getTime() - 3 * 3_600_000)
  return new Date(daysBack(now, daysAgo).getTime() + random.between(7, 17) * 3_600_000)
}

function progressOf(valid: number, volume: number, random: Random): number {
  return valid === finished ? volume : Math.round(volume * random.share(0.2, 0.7))
}
