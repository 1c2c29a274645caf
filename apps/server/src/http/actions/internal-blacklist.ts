import * as contract from '@emma/contract/actions/internal-blacklist.ts'
import * as internal from '@emma/core/audience/blacklists/internal-blacklist.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts the platform's suppression list and its exceptions, for superadmins. */
export function mountInternalBlacklistActions(http: Http): void {
  mountAction(http, contract.listInternalEntries, async ({ db, query }) => {
    const { data, included, total } = await internal.listInternalEntries(db, query)
    return presentPage({ data: data.map(row => ({ ...row })), included, total }, query.limit, query.offset)
  })
  mountAction(http, contract.addInternalEntries, ({ db, actor, body }) =>
    internal.addInternalEntries(db, actor, body),
  )
  mountAction(http, contract.removeInternalEntry, ({ db, actor, query }) =>
    internal.removeInternalEntry(db, actor, query.value),
  )
  mountAction(http, contract.listInternalExcludes, async ({ db, query }) => {
    const { data, included, total } = await internal.listInternalExcludes(db, query)
    return presentPage({ data: data.map(row => ({ ...row })), included, total }, query.limit, query.offset)
  })
  mountAction(http, contract.addInternalExcludes, ({ db, actor, body }) =>
    internal.addInternalExcludes(db, actor, body),
  )
  mountAction(http, contract.removeInternalExclude, ({ db, actor, query }) =>
    internal.removeInternalExclude(db, actor, query.value, query.client_id ?? null),
  )
  mountAction(http, contract.restoreInternalRemoval, ({ db, actor, body }) =>
    internal.restoreInternalRemoval(db, actor, body.removal_id),
  )
}
