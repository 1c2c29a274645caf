import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { sql } from 'kysely'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of report groups, whose campaigns belong to one client. */
export const reportingGroupOperations = resourceOperations(reportingGroup, {
  table: 'reporting_group',
  special: { campaign: values => sql`r.campaign_ids && ${values}::bigint[]` },
  refersTo: { campaign_ids: { table: 'campaign', key: 'campagne_id' } },
})
