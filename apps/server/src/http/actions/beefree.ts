import { readBeefreeToken } from '@emma/contract/actions/beefree.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Beefree } from '../../provider/beefree.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Mounts the login of Beefree's editor (R265, R301). */
export function mountBeefree(http: Http, beefree: Beefree): void {
  mountAction(http, readBeefreeToken, async ({ actor }) => {
    if (actor.clientId === null) throw new EmmaError('bad_request', fault('refusal.no_client'))
    return beefree.token(actor.clientId)
  })
}
