import { provider } from '@emma/contract/resources/provider.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** Receiving providers: the platform's, which superadmins write (contract). */
export const providerOperations = resourceOperations(provider, { table: 'provider' })
