import {
  checkCampaign,
  listSendOnceKeys,
  MOST_SEND_ONCE_KEYS,
  moveCampaign,
  type SendOnceKeyUse,
} from '@emma/contract/actions/campaigns.ts'
import {
  type CampaignAction,
  campaignState,
  campaignTransitions,
  editableStates,
} from '@emma/contract/campaign-states.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault, reasonOf } from '@emma/contract/faults.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import { campaign, requiredToStart } from '@emma/contract/resources/campaign.ts'
import { advanceCampaigns, inTurn, keepCampaign } from './advance-campaigns.ts'
import { blankCampaign } from './blank-campaign.ts'
import { type DemoState, type DemoRoute, type Fields, onAction } from './demo-call.ts'
import type { DemoCampaign, DemoCategory, DemoRecurring } from './demo-records.ts'
import type { DemoEntity } from './demo-tables.ts'
import { recordRoutes } from './record-routes.ts'
import { demoVolume } from './seed/seed-campaigns.ts'

const { draft, scheduled, running, finished, paused, stopped, archived } = campaignState

export const campaignRoutes: readonly DemoRoute[] = [
  ...onAction(checkCampaign, async ({ params }, client) => {
    const found = await findCampaign(params.id, client)
    const errors = requiredToStart
      .filter(field => field !== 'startdate' && isMissing(found[field]))
      .map(field => ({ code: 'required', field, message: 'is required' }))
    const categories = await client.tables<DemoCategory>('category').all()
    const missing = categories
      .filter(({ is_required }) => is_required)
      .filter(({ values }) => !values.some(({ value_id: id }) => found.category_value_ids.includes(id ?? 0)))
      .map(({ name }) => ({
        code: 'category_missing',
        field: 'category_value_ids',
        ...reasonOf(fault('campaign.category_missing', { category: name })),
      }))
    return {
      errors: [...errors, ...missing],
      warnings: [],
      recipients: found.list === null ? 0 : (found.list.count ?? 0),
    }
  }),
  ...onAction(listSendOnceKeys, async ({ query }, state) => ({
    data: (await sendOnceKeys(state))
      .filter(({ key }) => key.toLowerCase().includes((query.search ?? '').trim().toLowerCase()))
      .slice(0, MOST_SEND_ONCE_KEYS),
  })),
  ...onAction(moveCampaign, ({ params, body }, client) =>
    inTurn(async () => {
      const found = await findCampaign(params.id, client)
      if (!campaignTransitions[params.action].some(state => state === found.valid))
        throw new EmmaError('wrong_state')
      const moved = await moves[params.action](found, client, body?.startdate ?? null)
      const at = client.now().toISOString()
      return keepCampaign({ ...moved, revision: moved.revision + 1, updated_at: at }, client)
    }),
  ),
  ...recordRoutes({
    resource: campaign,
    entity: 'campaign',
    refresh: advanceCampaigns,
    blank: blankCampaign,
    special: {
      category: (row, wanted) => [row['category_value_ids']].flat().some(id => wanted.includes(id)),
    },
    async settle(row, before, client) {
      if (before && !editableStates.some(state => state === before['valid']))
        throw new EmmaError('wrong_state')
      return withParts(row, client)
    },
  }),
]

async function findCampaign(id: number, { tables }: DemoState): Promise<DemoCampaign> {
  const found = await tables<DemoCampaign>('campaign').get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

/** The last used first. */
async function sendOnceKeys({ tables }: DemoState): Promise<SendOnceKeyUse[]> {
  const campaigns = await tables<DemoCampaign>('campaign').all()
  const recurring = await tables<DemoRecurring>('recurring').all()
  const uses = [
    ...campaigns.map(row => ({ key: row.send_once_key, at: row.started_at ?? row.created_at, campaigns: 1 })),
    ...recurring.map(row => ({ key: row.send_once_key, at: row.created_at, campaigns: 0 })),
  ]
  const keys = new Map<string, SendOnceKeyUse>()
  for (const { key, at, campaigns: count } of uses.toSorted((a, b) => b.at.localeCompare(a.at))) {
    if (!key) continue
    const known = keys.get(key) ?? { key, campaigns: 0, last_used_at: at }
    keys.set(key, { ...known, campaigns: known.campaigns + count })
  }
  return [...keys.values()]
}

type Move = (campaign: DemoCampaign, client: DemoState, startdate: string | null) => Promise<DemoCampaign>

/** Start, pause and stop set status 2, 5 and 8 at once (R309). */
const moves: Record<CampaignAction, Move> = {
  async start(row, client) {
    const missing = requiredToStart.filter(field => field !== 'startdate' && isMissing(row[field]))
    if (missing.length > 0) throw invalid(missing.map(field => fieldError(field, 'field.required')))
    const now = client.now().toISOString()
    const volume = row.started_at === null ? demoVolume(client.random) : row.estimated_volume
    return {
      ...row,
      valid: running,
      estimated_volume: volume,
      combined_volume: volume,
      startdate: row.startdate ?? now,
      started_at: row.started_at ?? now,
    }
  },
  pause: async row => ({ ...row, valid: paused }),
  stop: async (row, client) => ({ ...row, valid: stopped, finished_at: client.now().toISOString() }),
  async copy(row, client) {
    const keys = (await client.tables<DemoCampaign>('campaign').all()).map(({ campagne_id }) => campagne_id)
    const now = client.now().toISOString()
    return {
      ...row,
      campagne_id: Math.max(...keys) + 1,
      name: `${row.name} (2)`,
      valid: draft,
      progress_cur: 0,
      startdate: null,
      started_at: null,
      finished_at: null,
      split_sampled_at: null,
      split_decided_at: null,
      split_winner: null,
      split_result: null,
      created_at: now,
    }
  },
  archive: async row => ({ ...row, valid: archived }),
  unarchive: async row => ({ ...row, valid: row.started_at === null ? draft : finished }),
  schedule: async (row, _, startdate) => ({
    ...row,
    valid: scheduled,
    startdate: startdate ?? row.startdate,
  }),
  cancel: async row => ({ ...row, valid: draft }),
}

const parts: readonly { name: string; key: string; entity: DemoEntity }[] = [
  { name: 'domain', key: 'domain_id', entity: 'domain' },
  { name: 'list', key: 'list_id', entity: 'segment' },
  { name: 'mailclass', key: 'mailclass_id', entity: 'mailclass' },
  { name: 'message', key: 'message_id', entity: 'template' },
]

/** Adds the records that a campaign references (D2 §3). */
export async function withParts(row: Fields, { tables }: DemoState): Promise<Fields> {
  const found = await Promise.all(
    parts.map(
      async ({ name, key, entity }) => [name, (await tables(entity).get(Number(row[key]))) ?? null] as const,
    ),
  )
  return { ...row, ...Object.fromEntries(found) }
}
