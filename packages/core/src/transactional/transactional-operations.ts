import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of transactional emails. Their template, domain and mail class belong to the same client. */
export const transactionalOperations: Operations<typeof transactionalcampaign> = resourceOperations(
  transactionalcampaign,
  {
    table: 'transactional',
    json: ['data_fields'],
    isCached: true,
    refersTo: {
      domain_id: { table: 'domain', key: 'domain_id' },
      mailclass_id: { table: 'mailclass', key: 'mailclass_id' },
      message_id: { table: 'message', key: 'message_id' },
      member_table_id: { table: 'member_table', key: 'member_table_id' },
    },
  },
)
