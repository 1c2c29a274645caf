import { queryKeys } from '@emma/client/query-keys.ts'
import {
  approveCampaign,
  readCampaignApproval,
  requestCampaignApproval,
  revokeCampaignApproval,
} from '@emma/contract/actions/approval.ts'
import { campaign as campaigns } from '@emma/contract/resources/campaign.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useSocketMessage, useSocketOpen } from '../../../shell/notifications/socket-provider.tsx'
import { ApprovalCard, type ApprovalCalls } from '../../../shell/resource/approval/approval-card.tsx'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import type { Campaign } from './campaign-steps.ts'

interface CampaignApprovalProps {
  campaign: Campaign
  /** Called when the approval was changed, here or by another user. */
  onChanged: () => void
}

/** Approval of a campaign by a second person; updated live. */
export function CampaignApproval({ campaign, onChanged }: CampaignApprovalProps): ReactNode {
  const { mayChange } = useRights(campaigns)
  const { client_id, campagne_id: id, revision } = campaign
  const calls = useMemo(() => callsOf(client_id, id, revision), [client_id, id, revision])
  const reload = () => void queryClient.invalidateQueries({ queryKey: calls.queryKey })
  useSocketMessage('CAMPAIGN_REVIEW', message => {
    if (message.campagne_id === id) reload()
  })
  // What was decided before the connection opened.
  useSocketOpen(reload)
  return <ApprovalCard calls={calls} mayAsk={mayChange} onChanged={onChanged} />
}

/** When a campaign was approved as it is; null: it is not, or needs no approval. */
export function useApprovedAt({ client_id, campagne_id, revision }: Campaign): string | null {
  const calls = callsOf(client_id, campagne_id, revision)
  const { data } = useQuery({
    queryKey: calls.queryKey,
    queryFn: ({ signal }) => calls.read(signal),
    staleTime: 0,
  })
  return data?.required && data.state === 'approved' ? (data.approved?.at ?? null) : null
}

function callsOf(client_id: number, campaign_id: number, revision: number): ApprovalCalls {
  const params = { client_id, campaign_id }
  return {
    queryKey: queryKeys.action(readCampaignApproval, { ...params, revision }),
    read: signal => api.call(readCampaignApproval, { params, ignoreCache: true, signal }),
    request: note => api.call(requestCampaignApproval, { params, body: { note } }),
    approve: (hash, note) => api.call(approveCampaign, { params, body: { hash, note } }),
    revoke: note => api.call(revokeCampaignApproval, { params, body: { note } }),
  }
}
