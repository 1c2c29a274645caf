import { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import { transaction } from '@emma/db/connection.ts'
import { ownClient } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { clearDefault, yieldDefault } from '../resource/single-default.ts'

const presets = { resource: campaignPreset, table: 'campaign_preset' } as const

const standard = resourceOperations(campaignPreset, { table: 'campaign_preset', json: ['values'] })

/** CRUD operations of presets (R260). A new default replaces the one before in the same transaction. */
export const presetOperations: Operations<typeof campaignPreset> = {
  ...standard,
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const owner = ownClient(actor, clientId ?? input.client_id)
      if (input.is_default) await clearDefault(tx, actor, presets, { clientId: owner })
      return standard.create(tx, actor, clientId, input)
    })
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const { client_id: clientId } = await standard.find(tx, actor, scope, id)
      const stays = (input.client_id ?? clientId) === clientId
      if (input.is_default && stays) await clearDefault(tx, actor, presets, { clientId }, id)
      return standard.patch(tx, actor, scope, id, input, options)
    })
  },
  restore(db, actor, scope, id) {
    return transaction(db, async tx => {
      await yieldDefault(tx, presets, id)
      await standard.restore(tx, actor, scope, id)
    })
  },
}
