import * as contract from '@emma/contract/actions/placement.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { findMailbox, replaceRefreshToken } from '@emma/core/deliverability/placement/awaited-mails.ts'
import { sealSecret } from '@emma/core/deliverability/secret-box.ts'
import {
  findResult,
  listResults,
  readPlacements,
} from '@emma/core/deliverability/placement/read-placements.ts'
import { accessibleClients, scopeOf } from '@emma/core/resource/actor.ts'
import { MailboxFault } from '../../mailboxes/mailbox.ts'
import { mailboxContext, type MailboxLogin, openMailbox } from '../../mailboxes/open-mailbox.ts'
import { PlaceLimit } from '../../network/concurrency-limit.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts the test of a mailbox, results of placement checks, and their figures. */
export function mountPlacementActions(http: Http): void {
  const context = mailboxContext(http.config)
  const tests = new PlaceLimit({ total: 8, perKey: 2 })

  mountAction(http, contract.testImapLogin, async ({ db, actor, params, body }) => {
    scopeOf(actor, params.client_id)
    const login = await loginOf(db, params.client_id, body)
    const release = tests.take(String(params.client_id))
    if (!release) throw new EmmaError('busy')
    const start = performance.now()
    const taken = () => Math.round(performance.now() - start)
    try {
      const mailbox = await openMailbox(login, context, async token => {
        if (!('sealed' in login.password)) return
        const sealed = sealSecret(context.key, token)
        const key = {
          clientId: params.client_id,
          loginId: body.login_id ?? 0,
          password: login.password.sealed,
        }
        await replaceRefreshToken(db, key, sealed)
      })
      try {
        const { names, found } = await mailbox.listFolders()
        return { error: null, milliseconds: taken(), folders: names, found }
      } finally {
        await mailbox.close()
      }
    } catch (error) {
      if (!(error instanceof MailboxFault)) throw error
      const found = { inbox: null, spam: null, promotions: null }
      return { error: error.fault, milliseconds: taken(), folders: [], found }
    } finally {
      release()
    }
  })

  mountAction(http, contract.listIpciResults, async ({ db, actor, query }) => {
    const scope = query.client_id === undefined ? accessibleClients(actor) : scopeOf(actor, query.client_id)
    return presentPage(await listResults(db, scope, query), query.limit, query.skip)
  })

  mountAction(http, contract.findIpciResult, ({ db, actor, params }) =>
    findResult(db, accessibleClients(actor), params.id),
  )

  mountAction(http, contract.ipciDashboardView, ({ db, actor, params, query }) => {
    scopeOf(actor, params.client_id)
    return readPlacements(db, params.client_id, query)
  })
}

type Db = Http['db']

/** The login to try: with the typed password, or with the stored one where it belongs to this server and user name. */
async function loginOf(
  db: Db,
  clientId: number,
  { login_id, setting_id, username, password }: contract.ImapLoginTest,
): Promise<MailboxLogin> {
  const found = await findMailbox(db, clientId, { settingId: setting_id, loginId: login_id ?? null })
  if (!found) throw invalid([fieldError('setting_id', 'field.not_there')])
  const { server, login } = found
  if (password) return { email: username, username, server, password: { plain: password } }
  if (server.protocol === 'testbed') return { email: username, username, server, password: { plain: '' } }
  if (!login?.password || login.settingId !== setting_id || login.username !== username)
    throw invalid([{ field: 'password', ...fault('imap.password') }])
  return { email: username, username, server, password: { sealed: login.password } }
}
