import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { campaignComment, MOST_COMMENTS } from '@emma/contract/resources/campaign-comment.ts'
import { useQuery } from '@tanstack/react-query'
import { useSocketMessage, useSocketOpen } from '../../../shell/notifications/socket-provider.tsx'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'

export type Comment = RecordOf<typeof campaignComment>

/** Comments of a campaign, oldest first; updated live. */
export function useComments({ campagne_id, client_id }: { campagne_id: number; client_id: number }) {
  const query = { filters: { campagne_id }, sort: { field: 'comment_id' }, limit: MOST_COMMENTS }
  useSocketMessage('CAMPAIGN_REVIEW', message => {
    if (message.campagne_id === campagne_id) void refresh(campaignComment)
  })
  // What was written before the connection opened.
  useSocketOpen(() => void refresh(campaignComment))
  return useQuery({
    queryKey: queryKeys.list(campaignComment, query),
    queryFn: async ({ signal }) => {
      const page = await api.list(campaignComment, query, {
        params: { client_id },
        ignoreCache: true,
        signal,
      })
      return page.data
    },
    staleTime: 0,
  })
}
