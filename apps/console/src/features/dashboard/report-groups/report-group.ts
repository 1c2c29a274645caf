import type { RecordOf } from '@emma/client/emma-client.ts'
import type { reportingGroup } from '@emma/contract/resources/reporting-group.ts'

export type ReportGroup = RecordOf<typeof reportingGroup>
