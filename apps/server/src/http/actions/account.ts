import * as account from '@emma/contract/actions/account.ts'
import * as factor from '@emma/contract/actions/second-factor.ts'
import * as tokens from '@emma/contract/actions/api-tokens.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
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
  readSessionMethod,
  replaceSession,
  revokeSession,
  revokeSessions,
} from '@emma/core/account/sessions.ts'
import { listSettings, saveSettings } from '@emma/core/account/user-settings.ts'
import { findDueDocuments } from '@emma/core/billing/due-documents.ts'
import { assertMayManage, setPassword } from '@emma/core/platform/user-operations.ts'
import { type Actor, can } from '@emma/core/resource/actor.ts'
import { installation, logChange } from '@emma/core/resource/log-change.ts'
import type { Db } from '@emma/db/connection.ts'
import type { FastifyRequest } from 'fastify'
import { toString as drawQr } from 'qrcode'
import { sendEmailChange } from '../../mail/send-email-change.ts'
import { sendPasswordLink } from '../../mail/send-password-link.ts'
import { addressGroup } from '../../network/address-group.ts'
import { isSystemMailOn } from '../../mail/send-system-mail.ts'
import type { Http } from '../http.ts'
import { done, mountAction } from '../mount-action.ts'
import { presentAll } from '../page.ts'
import { readActor, sessionKey } from '../read-actor.ts'
import { fault } from '@emma/contract/faults.ts'

/** Mounts login, renewal, logout, and the own account: settings, password, second factor, sessions, tokens. */
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
  mountAction(http, account.login, async ({ db, body, request }) => {
    if (body?.username !== undefined || body?.password !== undefined) {
      const login = { ...complete(body), address: addressGroup(request.ip) }
      return { token: await logIn(db, keys, login, originOf(request)) }
    }
    const { claims } = await readActor(http, request)
    if (!claims) throw new EmmaError('forbidden')
    return { token: await replaceSession(db, keys.session, claims, originOf(request), claims.view_role) }
  })

  mountAction(http, account.verifyToken, async ({ claims }) => {
    if (!claims) throw new EmmaError('no_token')
    return claims
  })

  mountAction(http, account.logout, async ({ db, claims }) => {
    if (claims) await revokeSession(db, claims.jti)
    return done
  })

  mountAction(http, account.viewAs, async ({ db, claims, body, request }) => {
    if (!claims) throw new EmmaError('no_token')
    return { token: await replaceSession(db, keys.session, claims, originOf(request), body.role_id) }
  })
}

function mountPasswords(http: Http, keys: LoginKeys): void {
  mountAction(http, account.requestReset, async ({ db, body, request, logger }) => {
    const isMailed = await isSystemMailOn(db)
    if (!(await mayRequestLink(db, addressGroup(request.ip)))) throw new EmmaError('too_many')
    // After the response, whose time must not reveal whether an account exists.
    if (isMailed)
      void mailReset(http, body.username).catch((error: unknown) =>
        logger.error({ err: error }, 'the email for a password reset could not be sent'),
      )
    return { ...done, is_mailed: isMailed }
  })

  mountAction(http, account.resetPassword, async ({ db, body }) => {
    await resetPassword(db, body.token, body.password)
    return done
  })

  mountAction(http, account.changePassword, async ({ db, actor, claims, params, body, request }) => {
    assertOwn(actor, params.id)
    await assertPassword(db, params.id, body.old_password)
    await setPassword(db, params.id, body.password)
    await logChange(db, actor, {
      clientId: installation,
      object: 'user',
      id: params.id,
      action: 'set_password',
    })
    return { token: await startAnew(db, keys, params.id, request, claims?.jti) }
  })
}

async function mailReset(http: Http, username: string): Promise<void> {
  const link = await requestPasswordReset(http.db, username)
  if (link) await sendPasswordLink(http, link)
}

function mountOwnSettings(http: Http): void {
  mountAction(http, account.listUserSettings, async ({ db, actor, params }) =>
    withDueDocuments(db, await listSettings(db, actor, params.id)),
  )
  mountAction(http, account.saveUserSettings, async ({ db, actor, params, body }) =>
    withDueDocuments(db, await saveSettings(db, actor, params.id, body)),
  )
  mountAction(http, account.readProfile, ({ db, actor, params }) => readProfile(db, actor, params.id))
  const linkKey = http.config.deriveKey('email change')
  mountAction(http, account.saveProfile, async ({ db, actor, params, body }) => {
    const { email } = await readProfile(db, actor, params.id)
    if (body.email === email || !(await isSystemMailOn(db)))
      return { ...(await saveProfile(db, actor, params.id, body)), pending_email: null }
    const change = await requestEmailChange(db, linkKey, actor, params.id, body)
    await sendEmailChange(http, change).catch((error: unknown) => {
      http.logger.error({ err: error }, 'the emails for a new address could not be sent')
      throw new EmmaError('wrong_state', fault('refusal.mail_unsent'))
    })
    const profile = await saveProfile(db, actor, params.id, { ...body, email: change.from })
    return { ...profile, pending_email: change.to }
  })
  mountAction(http, account.confirmOwnEmail, async ({ db, actor, params, body }) => {
    await confirmEmailChange(db, linkKey, actor, params.id, body.token)
    return readProfile(db, actor, params.id)
  })
}

/** Settings, with what the active client has to confirm, which the console needs before its first screen. */
async function withDueDocuments(db: Db, settings: Awaited<ReturnType<typeof listSettings>>) {
  const [active] = settings
  const due = active ? await findDueDocuments(db, active.client_id) : []
  return { ...presentAll(settings), due_documents: due }
}

function mountSecondFactor(http: Http, keys: LoginKeys): void {
  mountAction(http, factor.readSecondFactor, ({ db, actor, params }) =>
    readSecondFactor(db, actor, params.id),
  )
  mountAction(http, factor.beginSecondFactor, async ({ db, actor, params, body }) => {
    const made = await beginSecondFactor(db, keys.secrets, actor, params.id, body.old_password)
    return { ...made, picture: await drawQr(made.address, { type: 'svg', margin: 2 }) }
  })
  mountAction(http, factor.confirmSecondFactor, async ({ db, actor, params, body, request }) => {
    const codes = await confirmSecondFactor(db, keys.secrets, actor, params.id, body.code)
    const method = 'second_factor'
    const token = await openSession(db, keys.session, params.id, originOf(request), { method })
    return { recovery_codes: codes, token }
  })
  mountAction(http, factor.removeSecondFactor, async ({ db, actor, params, body, request }) => {
    await removeSecondFactor(db, keys.secrets, actor, params.id, body)
    return { token: await openSession(db, keys.session, params.id, originOf(request)) }
  })
}

function mountSessions(http: Http): void {
  mountAction(http, account.listSessions, async ({ db, actor, claims, params }) => {
    await assertMayOversee(http, actor, params.id)
    return { data: await listSessions(db, params.id, claims?.jti ?? null) }
  })
  mountAction(http, account.endSession, async ({ db, actor, params }) => {
    await assertMayOversee(http, actor, params.id)
    await endSession(db, actor, params.id, params.jti)
    return done
  })
  mountAction(http, account.endOtherSessions, async ({ db, actor, claims, params }) => {
    await assertMayOversee(http, actor, params.id)
    return { ended: await revokeSessions(db, params.id, claims?.jti ?? null) }
  })
}

function mountApiTokens(http: Http): void {
  mountAction(http, tokens.listApiTokens, async ({ db, actor, params }) => {
    await assertMayOversee(http, actor, params.id)
    return { data: await listApiTokens(db, params.id) }
  })
  mountAction(http, tokens.createApiToken, async ({ db, actor, params, body }) =>
    createApiToken(db, actor, params.id, body),
  )
  mountAction(http, tokens.revokeApiToken, async ({ db, actor, params }) => {
    await assertMayOversee(http, actor, params.id)
    await revokeApiToken(db, actor, params.id, params.token_id)
    return done
  })
}

/** The own user, or one that the actor may manage. Throws `not_found`, `forbidden`. */
async function assertMayOversee({ db }: Http, actor: Actor, userId: number): Promise<void> {
  if (actor.userId === userId) return
  if (!can(actor, 'User:patch')) throw new EmmaError('forbidden')
  await assertMayManage(db, actor, userId)
}

/** Ends all sessions of the user and continues this one as a new one. */
async function startAnew(
  db: Http['db'],
  keys: LoginKeys,
  userId: number,
  request: FastifyRequest,
  jti: string | undefined,
): Promise<string> {
  const before = await readSessionMethod(db, jti ?? '')
  await revokeSessions(db, userId)
  const method = before === 'second_factor' || before === 'oidc' ? before : 'password'
  return openSession(db, keys.session, userId, originOf(request), { method })
}

function complete(login: {
  username?: string | undefined
  password?: string | undefined
  code?: string | undefined
}) {
  const { username, password, code } = login
  if (username !== undefined && password !== undefined) return { username, password, code }
  const missing = username === undefined ? 'username' : 'password'
  throw invalid([fieldError(missing, 'field.required')])
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }
}
