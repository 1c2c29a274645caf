import { provider } from '@emma/contract/resources/provider.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Actor } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const standard = resourceOperations(provider, { table: 'provider' })

/** Receiving providers are the platform's: everybody with the right reads them, superadmins write. */
export const providerOperations: Operations = {
  ...standard,
  async create(sql, actor, clientId, input) {
    assertSuperadmin(actor)
    return standard.create(sql, actor, clientId, input)
  },
  async patch(sql, actor, scope, id, input, options) {
    assertSuperadmin(actor)
    return standard.patch(sql, actor, scope, id, input, options)
  },
  async remove(sql, actor, scope, id, options) {
    assertSuperadmin(actor)
    return standard.remove(sql, actor, scope, id, options)
  },
}

function assertSuperadmin(actor: Actor): void {
  if (!actor.superadmin) throw new EmmaError('forbidden')
}
