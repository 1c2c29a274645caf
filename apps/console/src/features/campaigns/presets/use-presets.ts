import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { campaignType } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { CampaignValues } from '../editor/campaign-fields.ts'

export type CampaignPreset = RecordOf<typeof campaignPreset>

/** All presets of the client; none for users who may not see them. */
export function usePresets(): { presets: readonly CampaignPreset[]; isFetching: boolean } {
  const mayRead = usePermission({ all: ['CampaignPreset:get'] })
  const { data = [], isFetching } = useQuery({
    queryKey: [...queryKeys.lists(campaignPreset), 'all'],
    queryFn: ({ signal }) =>
      api.listAll(campaignPreset, { sort: { field: 'name', descending: false } }, { signal }),
    enabled: mayRead,
  })
  return { presets: data, isFetching }
}

const senderFields = ['domain_id', 'fromadr', 'fromname', 'reply_to', 'mailclass_id', 'esp_id'] as const

/**
 * Values that a new campaign starts with: the sender of the client's newest campaign, and its default preset. Null
 * while they load; empty if they cannot be read.
 */
export function useFirstValues(isNew: boolean): Partial<CampaignValues> | null {
  const [first, setFirst] = useState<Partial<CampaignValues> | null>(isNew ? null : {})
  const { presets, isFetching } = usePresets()
  const newest = useQuery({
    queryKey: [...queryKeys.lists(campaign), 'newest'],
    queryFn: ({ signal }) =>
      api.list(
        campaign,
        {
          limit: 1,
          sort: { field: 'created_at', descending: true },
          filters: { type: [campaignType.regular] },
        },
        { signal },
      ),
    enabled: isNew,
  })
  // Not from the cache: a preset may have been saved a moment ago. Later changes leave the form alone.
  if (first !== null || isFetching || newest.isFetching) return first
  const last = newest.data?.data[0]
  const sender = last ? Object.fromEntries(senderFields.map(field => [field, last[field]])) : {}
  const values = { ...sender, ...presets.find(preset => preset.is_default)?.values }
  setFirst(values)
  return values
}
