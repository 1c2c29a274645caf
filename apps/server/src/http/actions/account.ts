import * as account from '@emma/contract/actions/account.ts'
import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { permissions } from '@emma/contract/permissions.ts'
import { logIn } from '@emma/core/account/log-in.ts'
import { requestPasswordReset, resetPassword } from '@emma/core/account/password-reset.ts'
import {
  openSession,
  type Origin,
  replaceSession,
  revokeSession,
  revokeSessions,
} from '@emma/core/account/sessions.ts'
import { listSettings, saveSettings } from '@emma/core/account/user-settings.ts'
import { setPassword, userOperations } from '@emma/core/platform/user-operations.ts'
import { reach } from '@emma/core/resource/actor.ts'
import type { FastifyRequest } from 'fastify'
import { sendPasswordReset } from '../../mail/send-password-reset.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentAll } from '../page.ts'
import { readActor, sessionKey } from '../read-actor.ts'

/** Login, renewal, logout, own settings, passwords. */
export function mountAccountActions(http: Http): void {
  const { config } = http
  const key = sessionKey(config)

  mountAction(http, account.login, async ({ sql, body, request }) => {
    if (body?.username !== undefined || body?.password !== undefined)
      return { token: await logIn(sql, key, complete(body), originOf(request)) }
    const { claims } = await readActor(http, request)
    return { token: await replaceSession(sql, key, claims, originOf(request), claims.view_role) }
  })

  mountAction(http, account.verifyToken, async ({ claims }) => claims)

  mountAction(http, account.logout, async ({ sql, claims }) => {
    if (claims) await revokeSession(sql, claims.jti)
    return { ok: true }
  })

  mountAction(http, account.viewAs, async ({ sql, claims, body, request }) => {
    if (!claims) throw new EmmaError('no_token')
    return { token: await replaceSession(sql, key, claims, originOf(request), body.role_id) }
  })

  mountAction(http, account.requestReset, async ({ sql, body, reply, logger }) => {
    const reset = await requestPasswordReset(sql, body.username)
    if (reset)
      sendPasswordReset(http, reset).catch((error: unknown) =>
        logger.error({ err: error }, 'the mail for a password reset could not be sent'),
      )
    void reply.status(202)
    return { ok: true }
  })

  mountAction(http, account.resetPassword, async ({ sql, body }) => {
    await resetPassword(sql, body.token, body.password)
    return { ok: true }
  })

  mountAction(http, account.listUserSettings, async ({ sql, actor, params }) =>
    presentAll(await listSettings(sql, actor, params.id)),
  )

  mountAction(http, account.saveUserSettings, async ({ sql, actor, params, body }) =>
    presentAll(await saveSettings(sql, actor, params.id, body)),
  )

  mountAction(http, account.changePassword, async ({ sql, actor, params, body, request }) => {
    if (actor.userId !== params.id) throw new EmmaError('not_found')
    const me = await userOperations.find(sql, actor, reach(actor), params.id)
    const login = { username: String(me.username), password: body.old_password }
    // Opening a session proves the old password, with its lockout; that session is ended with all others. A wrong one is
    // the field's fault: 401 would tell the console that this session is over.
    await logIn(sql, key, login, originOf(request)).catch((error: unknown) => {
      const isWrong = error instanceof EmmaError && error.code === 'wrong_login'
      throw isWrong ? invalid([{ field: 'old_password', message: 'is not the present password' }]) : error
    })
    await setPassword(sql, params.id, body.password)
    await revokeSessions(sql, params.id)
    return { token: await openSession(sql, key, params.id, originOf(request)) }
  })

  mountAction(http, account.unstuckUser, async ({ sql, actor, params }) => {
    await userOperations.find(sql, actor, reach(actor), params.id)
    await sql
      .updateTable('app_user')
      .set({ failed_logins: 0, locked_until: null })
      .where('id', '=', params.id)
      .execute()
    if (params.id !== actor.userId) await revokeSessions(sql, params.id)
    return { ok: true }
  })

  mountAction(http, account.listPermissions, async () => presentAll(permissions.map(name => ({ name }))))
}

function complete(login: { username?: string | undefined; password?: string | undefined }) {
  const { username, password } = login
  if (username !== undefined && password !== undefined) return { username, password }
  const missing = username === undefined ? 'username' : 'password'
  throw invalid([{ field: missing, message: 'is required' }])
}

function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }
}
