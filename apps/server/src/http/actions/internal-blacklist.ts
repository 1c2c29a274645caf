import * as contract from '@emma/contract/actions/internal-blacklist.ts'
import * as internal from '@emma/core/audience/internal-blacklist.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** The platform's own suppression and its exceptions, for superadmins. */
export function mountInternalBlacklistActions(http: Http): void {
  mountAction(http, contract.listInternalEntries, async ({ sql, query }) => {
    const { data, included, total } = await internal.listInternalEntries(sql, query)
    return presentPage({ data: data.map(row => ({ ...row })), included, total }, query.limit, query.offset)
  })
  mountAction(http, contract.addInternalEntries, ({ sql, actor, body }) =>
    internal.addInternalEntries(sql, actor, body),
  )
  mountAction(http, contract.removeInternalEntry, ({ sql, actor, query }) =>
    internal.removeInternalEntry(sql, actor, query.value),
  )
  mountAction(http, contract.listInternalExcludes, async ({ sql, query }) => {
    const { data, included, total } = await internal.listInternalExcludes(sql, query)
    return presentPage({ data: data.map(row => ({ ...row })), included, total }, query.limit, query.offset)
  })
  mountAction(http, contract.addInternalExcludes, ({ sql, actor, body }) =>
    internal.addInternalExcludes(sql, actor, body),
  )
  mountAction(http, contract.removeInternalExclude, ({ sql, actor, query }) =>
    internal.removeInternalExclude(sql, actor, query.value, query.client_id ?? null),
  )
}
