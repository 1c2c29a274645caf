import { role } from '@emma/contract/resources/role.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

export const roleOperations = resourceOperations(role, { table: 'role' })
