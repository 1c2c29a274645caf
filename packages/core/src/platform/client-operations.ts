import { isDeepStrictEqual } from 'node:util'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { fault } from '@emma/contract/faults.ts'
import { EmmaError, fieldError } from '@emma/contract/errors.ts'
import { initialValues, type Patch } from '@emma/contract/resource-schemas.ts'
import { client } from '@emma/contract/resources/client.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { requestPictures } from '../content/request-pictures.ts'
import type { Actor } from '../resource/actor.ts'
import type { Operations, WriteOptions } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const standard = resourceOperations(client, {
  table: 'client',
  json: ['brand_socials', 'price_tiers'],
  isCached: true,
  references: [
    { resource: campaign, column: 'client_id' },
    { resource: membertable, table: 'member_table', column: 'client_id' },
  ],
  special: { mine: values => sql`r.client_id = any(${values}::bigint[])` },
})

/** CRUD operations of clients. Users see their own; only superadmins create and delete them (contract). */
export const clientOperations: Operations<typeof client> = {
  ...standard,
  list(db, actor, scope, query) {
    if (actor.clientIds === 'all') return standard.list(db, actor, scope, query)
    return standard.list(db, actor, scope, {
      ...query,
      filters: { ...query.filters, mine: [...actor.clientIds] },
    })
  },
  async find(db, actor, scope, id) {
    assertOwn(actor, id)
    return standard.find(db, actor, scope, id)
  },
  async patch(db, actor, scope, id, input, options) {
    assertOwn(actor, id)
    return transaction(db, async tx => {
      await assertMayChange(tx, actor, id, input, options)
      const record = await standard.patch(tx, actor, scope, id, input, options)
      await requestPictures(tx, id)
      return record
    })
  },
}

type GuardedField = 'campaign_approval' | 'send_volume_limit' | 'price_tiers' | 'currency'

interface Guard {
  fields: readonly GuardedField[]
  mayChange: (actor: Actor) => boolean
  refusal: 'refusal.approval_setting' | 'refusal.billing_setting'
}

/** Fields that not all who may change a client may change. */
const guards: readonly Guard[] = [
  {
    // Who may start campaigns could otherwise switch off that a second person approves them.
    fields: ['campaign_approval'],
    mayChange: actor => actor.administrator || actor.superadmin,
    refusal: 'refusal.approval_setting',
  },
  {
    // What a client pays is decided by the operator of the installation.
    fields: ['send_volume_limit', 'price_tiers', 'currency'],
    mayChange: actor => actor.superadmin,
    refusal: 'refusal.billing_setting',
  },
]

async function assertMayChange(
  tx: Db,
  actor: Actor,
  id: number,
  input: Patch<typeof client>,
  { whole = false }: WriteOptions,
): Promise<void> {
  for (const { fields, mayChange, refusal } of guards) {
    const asked = fields.filter(field => whole || input[field] !== undefined)
    if (mayChange(actor) || asked.length === 0) continue
    const found = await tx
      .selectFrom('client')
      .select([...fields])
      .where('client_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return
    const wanted = { ...initialValues(client), ...input }
    const changed = asked.filter(field => !isDeepStrictEqual(found[field], wanted[field]))
    if (changed.length > 0)
      throw new EmmaError(
        'forbidden',
        fault(refusal),
        changed.map(field => fieldError(field, refusal)),
      )
  }
}

function assertOwn(actor: Actor, id: number): void {
  if (actor.clientIds !== 'all' && !actor.clientIds.includes(id)) throw new EmmaError('not_found')
}
