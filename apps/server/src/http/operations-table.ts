import { resources } from '@emma/contract/resource-list.ts'
import { cappingOperations } from '@emma/core/campaigns/capping-operations.ts'
import { dashboardOperations } from '@emma/core/dashboard/dashboard-operations.ts'
import { domainOperations } from '@emma/core/deliverability/domain-operations.ts'
import { mailclassOperations } from '@emma/core/deliverability/mailclass-operations.ts'
import { providerOperations } from '@emma/core/deliverability/provider-operations.ts'
import { clientOperations } from '@emma/core/platform/client-operations.ts'
import { roleOperations } from '@emma/core/platform/role-operations.ts'
import { userOperations } from '@emma/core/platform/user-operations.ts'
import type { Operations } from '@emma/core/resource/operations.ts'
import type { Config } from '../config.ts'
import { houseNames } from './house-names.ts'
import type { OperationsTable } from './mount-resource.ts'

/** What answers each resource of the contract, by its name. */
export function operationsTable(config: Config): OperationsTable {
  const secretKey = config.deriveKey('secrets at rest')
  const operations: Record<string, Operations> = {
    capping: cappingOperations,
    client: clientOperations,
    dashboard: dashboardOperations,
    domain: domainOperations(secretKey, houseNames(config)),
    mailclass: mailclassOperations(secretKey),
    provider: providerOperations,
    role: roleOperations,
    user: userOperations,
  }
  return new Map(
    resources.flatMap(resource => {
      const own = operations[resource.name]
      return own ? [[resource.name, { resource, operations: own }] as const] : []
    }),
  )
}
