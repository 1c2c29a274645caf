import type { checkCampaign } from '@emma/contract/actions/campaigns.ts'
import type { z } from 'zod'

export type Finding = z.infer<typeof checkCampaign.response>['errors'][number]
