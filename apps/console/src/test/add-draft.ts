import { campaignState } from '@emma/contract/campaign-states.ts'
import type { DemoState } from '../demo/demo-call.ts'
import type { DemoCampaign } from '../demo/demo-records.ts'

/** Adds a campaign that is ready to start to the demo. */
export async function addDraft(
  { tables }: DemoState,
  id: number,
  fields: Partial<DemoCampaign> = {},
): Promise<void> {
  const campaigns = tables<DemoCampaign>('campaign')
  const [campaign] = await campaigns.all()
  if (!campaign) throw new Error('The demo has no campaign')
  await campaigns.put(id, {
    ...campaign,
    campagne_id: id,
    valid: campaignState.draft,
    progress_cur: 0,
    startdate: null,
    started_at: null,
    finished_at: null,
    ...fields,
  })
}
