import * as signIn from '@emma/contract/actions/sign-in.ts'
import { assertSecondFactor } from '@emma/core/account/log-in.ts'
import { findProviderAccount } from '@emma/core/account/provider-account.ts'
import { openSession } from '@emma/core/account/sessions.ts'
import type { FastifyRequest } from 'fastify'
import {
  beginProviderSignIn,
  finishProviderSignIn,
  keepVouched,
  providerName,
  readVouched,
} from '../../provider/sign-in-provider.ts'
import { addressGroup } from '../../network/address-group.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { sessionKey } from '../read-actor.ts'
import { originOf } from './account.ts'

const cookie = 'emma_sign_in'

/** Mounts sign-in with an OpenID Connect provider: the redirect to it, and the callback to the login screen. */
export function mountSignInActions(http: Http): void {
  const { config } = http
  const attributes = `HttpOnly; SameSite=Lax; Path=/api/auth/provider${config.publicUrl.startsWith('https:') ? '; Secure' : ''}`

  mountAction(http, signIn.readSignIn, async ({ db }) => ({ name: await providerName({ db }) }))

  mountAction(http, signIn.beginSignIn, async ({ reply }) => {
    const { url, kept } = await beginProviderSignIn(http)
    void reply.header('set-cookie', `${cookie}=${kept}; Max-Age=600; ${attributes}`)
    return { url }
  })

  mountAction(http, signIn.finishSignIn, async ({ db, body, request, reply }) => {
    const kept = readCookie(request)
    void reply.header('set-cookie', `${cookie}=; Max-Age=0; ${attributes}`)
    const { userId, isTrusted } =
      body.answer === undefined
        ? { userId: readVouched(http, kept), isTrusted: false }
        : await findVouched(http, body.answer, kept)
    if (!isTrusted)
      await assertSecondFactor(db, config.deriveKey('secrets at rest'), userId, {
        code: body.code,
        address: addressGroup(request.ip),
      }).catch((error: unknown) => {
        // The code is sent with the next call; a wrong one can be repeated.
        const ticket = keepVouched(http, userId)
        void reply.header('set-cookie', `${cookie}=${ticket}; Max-Age=300; ${attributes}`)
        throw error
      })
    return {
      token: await openSession(db, sessionKey(config), userId, originOf(request), { method: 'oidc' }),
    }
  })
}

/** Returns the account that the provider authenticated, and whether that is sufficient. */
async function findVouched(http: Http, answer: string, kept: string | null) {
  const { identity, settings } = await finishProviderSignIn(http, answer, kept)
  const { role_id: roleId, tenant_id: clientId, domains, trusts_second_factor: isTrusted } = settings
  const newAccount = roleId === null || clientId === null ? null : { roleId, clientId }
  return { userId: await findProviderAccount(http.db, identity, { domains, newAccount }), isTrusted }
}

function readCookie({ headers }: FastifyRequest): string | null {
  const pairs = (headers.cookie ?? '').split(';').map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(`${cookie}=`))?.slice(cookie.length + 1) ?? null
}
