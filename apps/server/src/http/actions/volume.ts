import * as volume from '@emma/contract/actions/volume.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { calculateVolume } from '@emma/core/deliverability/volume/calculate-volume.ts'
import { listUsableMailclasses } from '@emma/core/deliverability/volume/list-usable-mailclasses.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import { accessibleClients, can, scopeOf } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Mounts the volume calculator, and mail classes with free capacity. */
export function mountVolumeActions(http: Http): void {
  mountAction(http, volume.calculateVolume, async ({ db, actor, body }) => {
    if (body.list_id !== undefined && !can(actor, 'EmmaList:get')) throw new EmmaError('forbidden')
    if (body.domain_id && !can(actor, 'EmmaDomain:get')) throw new EmmaError('forbidden')
    return calculateVolume(db, accessibleClients(actor), body)
  })

  mountAction(http, volume.listUsableMailclasses, async ({ db, params }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    return { data: await listUsableMailclasses(db, params.client_id, params.type) }
  })

  mountAction(http, volume.listCampaignMailclasses, async ({ db, actor, params }) => {
    await campaignOperations.find(db, actor, scopeOf(actor, params.client_id), params.campaign_id)
    return { data: await listUsableMailclasses(db, params.client_id, params.type) }
  })
}
