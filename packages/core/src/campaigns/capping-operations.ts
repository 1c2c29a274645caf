import { capping } from '@emma/contract/resources/capping.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { campaignReferences } from './campaign-references.ts'

export const cappingOperations = resourceOperations(capping, {
  table: 'capping',
  references: campaignReferences('capping_id'),
})
