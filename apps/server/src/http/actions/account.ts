import * as account from '@emma/contract/actions/account.ts'
import * as factor from '@emma/contract/actions/second-factor.ts'
import * as tokens from '@emma/contract/actions/api-tokens.ts'
import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { createApiToken, listApiTokens, revokeApiToken } from '@emma/core/account/api-tokens.ts'
import { confirmEmailChange, requestEmailChange } from '@emma/core/account/email-change.ts'
import { logIn, type LoginKeys } from '@emma/core/account/log-in.ts'
import { mayRequestLink } from '@emma/core/account/login-attempts.ts'
import {
  assertOwn,
  assertPassword,
  endSession,
  listSessions,
  readProfile,
  saveProfile,
} from '@emma/core/account/own-account.ts'
import { requestPasswordReset, resetPassword } from '@emma/core/account/password-reset.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
} from '@emma/core/account/second-factor.ts'
import {
  openSession,
  type Origin,
  replaceSession,
  revokeSession,
  revokeSessions,
} from '@emma/core/account/sessions.ts'
import { listSettings, saveSettings } from '@emma/core/account/user-settings.ts'
import { assertMayManage, setPassword } from '@emma/core/platform/user-operations.ts'
import { type Actor, can } from '@emma/core/resource/actor.ts'
import { installation, logChange } from '@emma/core/resource/log-change.ts'
import type { FastifyRequest } from 'fastify'
import { toString as drawQr } from 'qrcode'
import { sendEmailChange } from '../../mail/send-email-change.ts'
import { sendPasswordLink } from '../../mail/send-password-link.ts'
import { addressGroup } from '../../network/address-group.ts'
import { isSystemMailOn } from '../../mail/send-system-mail.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentAll } from '../page.ts'
import { readActor, sessionKey } from '../read-actor.ts'

/** Login, renewal, logout, and what people keep of their own: settings, password, second factor, sessions, tokens. */
export function mountAccountActions(http: Http): void {
  const keys = { session: sessionKey(http.config), secrets: http.config.deriveKey('secrets at rest') }
  mountLogin(http, keys)
  mountPasswords(http, keys)
  mountOwnSettings(http)
  mountSecondFactor(http, keys)
  mountSessions(http)
  mountApiTokens(http)
}

function mountLogin(http: Http, keys: LoginKeys): void {
  mountAction(http, account.login, async ({ sql, body, request }) => {
    if (body?.username !== undefined || body?.password !== undefined) {
      const login = { ...complete(body), address: addressGroup(request.ip) }
      return { token: await logIn(sql, keys, login, originOf(request)) }
    }
    const { claims } = await readActor(http, request)
    if (!claims) throw new EmmaError('forbidden')
    return { token: await replaceSession(sql, keys.session, claims, originOf(request), claims.view_role) }
  })

  mountAction(http, account.verifyToken, async ({ claims }) => claims)

  mountAction(http, account.logout, async ({ sql, claims }) => {
    if (claims) await revokeSession(sql, claims.jti)
    return { ok: true }
  })

  mountAction(http, account.viewAs, async ({ sql, claims, body, request }) => {
    if (!claims) throw new EmmaError('no_token')
    return { token: await replaceSession(sql, keys.session, claims, originOf(request), body.role_id) }
  })
}

function mountPasswords(http: Http, keys: LoginKeys): void {
  mountAction(http, account.requestReset, async ({ sql, body, request, reply, logger }) => {
    const isMailed = await isSystemMailOn(sql)
    if (!(await mayRequestLink(sql, addressGroup(request.ip)))) throw new EmmaError('too_many')
    // After the answer: it comes as fast for an account that exists as for one that does not.
    if (isMailed)
      void mailReset(http, body.username).catch((error: unknown) =>
        logger.error({ err: error }, 'the email for a password reset could not be sent'),
      )
    void reply.status(202)
    return { ok: true, is_mailed: isMailed }
  })

  mountAction(http, account.resetPassword, async ({ sql, body }) => {
    await resetPassword(sql, body.token, body.password)
    return { ok: true }
  })

  mountAction(http, account.changePassword, async ({ sql, actor, claims, params, body, request }) => {
    assertOwn(actor, params.id)
    await assertPassword(sql, params.id, body.old_password)
    await setPassword(sql, params.id, body.password)
    await logChange(sql, actor, {
      clientId: installation,
      object: 'user',
      id: params.id,
      action: 'set_password',
    })
    return { token: await startAnew(sql, keys, params.id, request, claims?.jti) }
  })
}

async function mailReset(http: Http, username: string): Promise<void> {
  const link = await requestPasswordReset(http.sql, username)
  if (link) await sendPasswordLink(http, link)
}

function mountOwnSettings(http: Http): void {
  mountAction(http, account.listUserSettings, async ({ sql, actor, params }) =>
    presentAll(await listSettings(sql, actor, params.id)),
  )
  mountAction(http, account.saveUserSettings, async ({ sql, actor, params, body }) =>
    presentAll(await saveSettings(sql, actor, params.id, body)),
  )
  mountAction(http, account.readProfile, ({ sql, actor, params }) => readProfile(sql, actor, params.id))
  const linkKey = http.config.deriveKey('email change')
  mountAction(http, account.saveProfile, async ({ sql, actor, params, body }) => {
    const { email } = await readProfile(sql, actor, params.id)
    if (body.email === email || !(await isSystemMailOn(sql)))
      return { ...(await saveProfile(sql, actor, params.id, body)), pending_email: null }
    const change = await requestEmailChange(sql, linkKey, actor, params.id, body)
    await sendEmailChange(http, change).catch((error: unknown) => {
      http.logger.error({ err: error }, 'the emails for a new address could not be sent')
      throw new EmmaError('wrong_state', 'The email could not be sent. Check the system email settings.')
    })
    const profile = await saveProfile(sql, actor, params.id, { ...body, email: change.from })
    return { ...profile, pending_email: change.to }
  })
  mountAction(http, account.confirmOwnEmail, async ({ sql, actor, params, body }) => {
    await confirmEmailChange(sql, linkKey, actor, params.id, body.token)
    return readProfile(sql, actor, params.id)
  })
}

function mountSecondFactor(http: Http, keys: LoginKeys): void {
  mountAction(http, factor.readSecondFactor, ({ sql, actor, params }) =>
    readSecondFactor(sql, actor, params.id),
  )
  mountAction(http, factor.beginSecondFactor, async ({ sql, actor, params, body }) => {
    const made = await beginSecondFactor(sql, keys.secrets, actor, params.id, body.old_password)
    return { ...made, picture: await drawQr(made.address, { type: 'svg', margin: 2 }) }
  })
  mountAction(http, factor.confirmSecondFactor, async ({ sql, actor, params, body, request }) => {
    const codes = await confirmSecondFactor(sql, keys.secrets, actor, params.id, body.code)
    const method = 'second_factor'
    const token = await openSession(sql, keys.session, params.id, originOf(request), { method })
    return { recovery_codes: codes, token }
  })
  mountAction(http, factor.removeSecondFactor, async ({ sql, actor, params, body, request }) => {
    await removeSecondFactor(sql, keys.secrets, actor, params.id, body)
    return { token: await openSession(sql, keys.session, params.id, originOf(request)) }
  })
}

function mountSessions(http: Http): void {
  mountAction(http, account.listSessions, async ({ sql, actor, claims, params }) => {
    await assertMayOversee(http, actor, params.id)
    return { data: await listSessions(sql, params.id, claims?.jti ?? null) }
  })
  mountAction(http, account.endSession, async ({ sql, actor, params }) => {
    await assertMayOversee(http, actor, params.id)
    await endSession(sql, actor, params.id, params.jti)
    return { ok: true }
  })
  mountAction(http, account.endOtherSessions, async ({ sql, actor, claims, params }) => {
    await assertMayOversee(http, actor, params.id)
    return { ended: await revokeSessions(sql, params.id, claims?.jti ?? null) }
  })
}

function mountApiTokens(http: Http): void {
  mountAction(http, tokens.listApiTokens, async ({ sql, actor, params }) => {
    await assertMayOversee(http, actor, params.id)
    return { data: await listApiTokens(sql, params.id) }
  })
  mountAction(http, tokens.createApiToken, async ({ sql, actor, params, body, reply }) => {
    void reply.status(201)
    return createApiToken(sql, actor, params.id, body)
  })
  mountAction(http, tokens.revokeApiToken, async ({ sql, actor, params }) => {
    await assertMayOversee(http, actor, params.id)
    await revokeApiToken(sql, actor, params.id, params.token_id)
    return { ok: true }
  })
}

/** One's own, or those of somebody whom one may manage. Throws `not_found`, `forbidden`. */
async function assertMayOversee({ sql }: Http, actor: Actor, userId: number): Promise<void> {
  if (actor.userId === userId) return
  if (!can(actor, 'User:patch')) throw new EmmaError('forbidden')
  await assertMayManage(sql, actor, userId)
}

/** All sessions of the person end, this one goes on as a new one. */
async function startAnew(
  sql: Http['sql'],
  keys: LoginKeys,
  userId: number,
  request: FastifyRequest,
  jti: string | undefined,
): Promise<string> {
  const before = await sql
    .selectFrom('session')
    .select('method')
    .where('jti', '=', jti ?? '')
    .executeTakeFirst()
  await revokeSessions(sql, userId)
  const method = before?.method === 'second_factor' || before?.method === 'oidc' ? before.method : 'password'
  return openSession(sql, keys.session, userId, originOf(request), { method })
}

function complete(login: {
  username?: string | undefined
  password?: string | undefined
  code?: string | undefined
}) {
  const { username, password, code } = login
  if (username !== undefined && password !== undefined) return { username, password, code }
  const missing = username === undefined ? 'username' : 'password'
  throw invalid([{ field: missing, message: 'is required' }])
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }
}
