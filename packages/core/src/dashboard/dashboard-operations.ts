import { dashboard } from '@emma/contract/resources/dashboard.ts'
import { sql as raw } from 'kysely'
import { resourceOperations } from '../resource/resource-operations.ts'

export const dashboardOperations = resourceOperations(dashboard, {
  table: 'dashboard',
  json: ['content'],
  special: { visibility: values => raw`r.is_public = ${values[0] === 'public'}` },
})
