import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Permission } from '@emma/contract/permissions.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { dataupload, uploadState } from '@emma/contract/resources/dataupload.ts'
import { api } from '../session/api.ts'
import { type Job, backgroundJob, campaignJob } from '../layout/job.ts'
import { sessionStore } from '../session/session-store.ts'
import { holds } from '../session/use-session.ts'

/** Maximum per type: the menu has no pages. */
const limit = 20
const fresh = { ignoreCache: true }

/** Fetches the running jobs: the socket only reports those that progress later. */
export async function findRunningJobs(): Promise<Job[]> {
  const [campaigns, uploads] = await Promise.all([
    may('EmmaCampaign:get')
      ? api.list(campaign, { filters: { status: campaignState.running }, limit }, fresh)
      : { data: [] },
    may('DataUpload:get')
      ? api.list(dataupload, { filters: { status: uploadState.running }, limit }, fresh)
      : { data: [] },
  ])
  return [
    ...campaigns.data.map(campaignJob),
    ...uploads.data.map(({ id, filename, rows, rows_read }) =>
      backgroundJob({
        id: `upload-${id}`,
        name: filename,
        state: 'running',
        done: rows_read,
        total: rows || null,
        path: `/subscribers/dataupload/edit/${id}`,
      }),
    ),
  ]
}

function may(permission: Permission): boolean {
  return holds(sessionStore.get(), { all: [permission] })
}
