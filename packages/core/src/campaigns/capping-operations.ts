import { capping } from '@emma/contract/resources/capping.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

export const cappingOperations = resourceOperations(capping, {
  table: 'capping',
  references: [
    { type: 'campaign', table: 'campaign', column: 'capping_id', key: 'campagne_id', name: 'name' },
  ],
})
