import { campaign } from '@emma/contract/resources/campaign.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { parseAddress } from '@emma/mail/address.ts'
import { ownClient } from '../../resource/actor.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { addressFault } from '../address-fault.ts'

/** CRUD operations of test subscribers. Their addresses are normalised like members'. */
export const testaddressOperations: Operations<typeof testaddress> = resourceOperations(testaddress, {
  table: 'test_address',
  json: ['member_data'],
  toRow: ({ email }) => (email === undefined ? {} : { email: normalise(email) }),
})

const standard = resourceOperations(testgroup, {
  table: 'test_group',
  references: [{ resource: campaign, column: 'test_group_id' }],
})

/** CRUD operations of test groups, which contain the client's test subscribers; at most one is the default. */
export const testgroupOperations: Operations<typeof testgroup> = {
  ...standard,

  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const client = ownClient(actor, clientId ?? input.client_id ?? null)
      await prepareGroup(tx, client, input)
      return standard.create(tx, actor, client, input)
    })
  },

  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await standard.find(tx, actor, scope, id)
      await prepareGroup(tx, before.client_id, input)
      return standard.patch(tx, actor, scope, id, input, options)
    })
  },
}

async function prepareGroup(
  tx: Db,
  clientId: number,
  { address_ids: wanted = [], is_default }: Patch<typeof testgroup>,
): Promise<void> {
  const known = await tx
    .selectFrom('test_address')
    .select('testaddress_id')
    .where('client_id', '=', clientId)
    .where('testaddress_id', 'in', [...wanted, -1])
    .where('deleted_at', 'is', null)
    .execute()
  const ids = new Set(known.map(address => address.testaddress_id))
  const missing = wanted.filter(id => !ids.has(id))
  if (missing.length > 0)
    throw invalid([fieldError('address_ids', 'field.no_test_address', { ids: missing.join(', ') })])
  if (is_default)
    await tx
      .updateTable('test_group')
      .set({ is_default: false })
      .where('client_id', '=', clientId)
      .where('is_default', '=', true)
      .execute()
}

function normalise(email: string): string {
  const parsed = parseAddress(email)
  if (parsed.ok) return parsed.email
  throw invalid([{ field: 'email', ...addressFault(parsed.reason) }])
}
