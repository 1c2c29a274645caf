import { provider } from '@emma/contract/resources/provider.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of mailbox providers. They belong to the installation; only superadmins change them (contract). */
export const providerOperations = resourceOperations(provider, { table: 'provider' })
