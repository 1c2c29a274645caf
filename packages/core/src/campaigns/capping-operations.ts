import { campaign } from '@emma/contract/resources/campaign.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

export const cappingOperations = resourceOperations(capping, {
  table: 'capping',
  references: [
    { resource: campaign, column: 'capping_id' },
    { resource: recurring, column: 'capping_id' },
  ],
})
