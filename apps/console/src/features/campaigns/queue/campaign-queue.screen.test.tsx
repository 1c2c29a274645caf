import type { CampaignQueue, Wait } from '@emma/contract/actions/campaign-queue.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { keepCampaign } from '../../../demo/advance-campaigns.ts'
import type { DemoState } from '../../../demo/demo-call.ts'
import type { DemoCampaign } from '../../../demo/demo-records.ts'
import { addDraft } from '../../../test/add-draft.ts'
import { renderScreen } from '../../../test/render-screen.tsx'

const id = 9500
const path = `/campaigns/monitoring/${id}`
const card = (name: string) => page.getByRole('region', { name, exact: true })

const none = {
  since: null,
  until: null,
  limit: null,
  unit: null,
  seconds: null,
  shared: null,
  action_id: null,
}
const wait = (code: Wait['code'], known: Partial<Wait> = {}): Wait => ({ ...none, code, ...known })

const queue: CampaignQueue = {
  waits: [wait('campaign_rate', { limit: 600, unit: 'hour' })],
  providers: [
    {
      provider_id: 5,
      name: 'Gmail',
      waiting: 10_000,
      deferred: 12,
      sending: 0,
      waits: [
        wait('backoff', { since: '2026-11-01T08:00:00Z', until: '2026-11-01T09:00:00Z', action_id: 3 }),
      ],
    },
    { provider_id: 0, name: 'other', waiting: 40, deferred: 0, sending: 7, waits: [] },
  ],
  routes: [
    {
      mailclass_id: 1,
      esp_id: null,
      name: 'warm',
      is_used: false,
      warmup: { volume: 500, sent: 500 },
      waits: [wait('mailclass_warmup', { limit: 500 })],
    },
    { mailclass_id: 2, esp_id: null, name: 'main', is_used: true, warmup: null, waits: [] },
  ],
  domains: [
    { name: 'news.example.com', fault: null },
    { name: 'mail.example.com', fault: 'blocklisted' },
  ],
  deferrals: [
    {
      provider_id: 5,
      provider: 'Gmail',
      code: 421,
      enhanced: '4.7.28',
      class: 'rate',
      count: 12,
      attempts: 3,
      next_at: '2026-11-01T09:00:00Z',
      reply: '421-4.7.28 unusual rate <b>of</b> mail',
    },
  ],
  has_more_deferrals: false,
  rule_actions: [
    {
      id: 3,
      rule: 'Our rule',
      action: 'backoff_provider',
      provider: 'Gmail',
      mailclass: 'main',
      send_ip: null,
      hits: 20,
      reply: '421-4.7.28 unusual rate',
      acted_at: '2026-11-01T08:00:00Z',
      until: '2026-11-01T09:00:00Z',
      undone_at: null,
      is_active: true,
    },
  ],
}

async function addCampaign(state: DemoState, valid: number, stored?: CampaignQueue): Promise<void> {
  await addDraft(state, id)
  const draft = await state.tables<DemoCampaign>('campaign').get(id)
  if (!draft) throw new Error('The draft is missing')
  const started_at = state.now().toISOString()
  await keepCampaign({ ...draft, estimated_volume: 1_000_000, progress_cur: 1, started_at, valid }, state)
  if (stored) await state.tables<CampaignQueue>('campaign_queue').put(id, stored)
}

test('R035 the queue shows its limits, by provider, mail class and domain, with deferrals', async () => {
  await renderScreen(path, state => addCampaign(state, campaignState.paused, queue))
  const main = card('Queue')
  await expect.element(main.getByText('Sending rate of the campaign: 600 per hour')).toBeVisible()
  const gmail = main.getByRole('row').filter({ hasText: 'Gmail' })
  await expect.element(gmail.getByRole('link', { name: 'Gmail: Waiting: 10,000+' })).toBeVisible()
  await expect.element(gmail.getByText('Provider paused by a reply rule')).toBeVisible()
  await expect.element(gmail.getByText(/^since .+, until .+$/)).toBeVisible()
  const routes = card('Mail classes')
  await expect.element(routes.getByRole('row').filter({ hasText: 'main' }).getByText('In use')).toBeVisible()
  const warm = routes.getByRole('row').filter({ hasText: 'warm' })
  await expect.element(warm.getByText(/^Warm-up: 500 of 500 emails sent today/)).toBeVisible()
  const listed = card('Domain pool').getByRole('row').filter({ hasText: 'mail.example.com' })
  await expect.element(listed.getByText('Blocklisted, not used')).toBeVisible()
  const deferral = card('Deferrals').getByRole('row').filter({ hasText: 'Gmail' })
  await expect.element(deferral.getByText('421-4.7.28 unusual rate <b>of</b> mail')).toBeVisible()
  await deferral.getByRole('link', { name: 'Gmail: Deferred: 12' }).click()
  await expect.poll(() => location.pathname).toBe(`/campaigns/reports/${id}`)
  expect(decodeURIComponent(location.search)).toContain('"provider_id":5')
})

test('a superadmin ends the back-off of a reply rule', async () => {
  await renderScreen(path, state => addCampaign(state, campaignState.paused, queue))
  await card('Queue').getByRole('button', { name: 'End now: Gmail' }).click()
  await expect.element(card('Queue').getByText('Provider paused by a reply rule')).not.toBeInTheDocument()
  const action = card('Reply rules').getByRole('row').filter({ hasText: 'Our rule' })
  await expect.element(action.getByText('Undone')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^End now/ })).not.toBeInTheDocument()
})

const empty = { ...queue, waits: [], providers: [], deferrals: [], domains: [], rule_actions: [] }

test('a queue without emails says so', async () => {
  await renderScreen(path, state => addCampaign(state, campaignState.running, empty))
  await expect.element(card('Queue').getByText('No emails are waiting.')).toBeVisible()
})

test('a finished campaign has no queue', async () => {
  await renderScreen(path, state => addCampaign(state, campaignState.finished, empty))
  await expect.element(card('Delivery by mailbox provider')).toBeVisible()
  await expect.element(card('Queue')).not.toBeInTheDocument()
})
