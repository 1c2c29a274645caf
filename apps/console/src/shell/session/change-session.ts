import '../i18n/zod-config.ts'
import type { SessionClaims } from '@emma/contract/session.ts'
import { saveUserSettings, viewAs as viewAsRole } from '@emma/contract/actions/account.ts'
import { beginSignIn, finishSignIn } from '@emma/contract/actions/sign-in.ts'
import { api, session } from './api.ts'
import { endInterception } from './interception.ts'
import { responseCache } from '../resource/response-cache.ts'
import { bringPreferences } from '../resource/preferences.ts'
import { queryClient } from '../resource/query-client.ts'
import { noSession, sessionStore } from './session-store.ts'
import { enter } from './start-up.ts'
import { tellTabs } from '../layout/tabs.ts'

export async function login(username: string, password: string, code?: string): Promise<void> {
  await begin(await session.login(username, password, code))
}

/** URL of the identity provider's sign-in page. */
export async function providerAddress(): Promise<string> {
  return (await api.call(beginSignIn, {})).url
}

/** Completes a sign-in: with the provider's answer, then with the code of the second factor if required. */
export async function finishProviderLogin(body: { answer: string } | { code: string }): Promise<void> {
  const { token } = await api.call(finishSignIn, { body })
  await begin(session.adopt(token))
}

async function begin(claims: SessionClaims): Promise<void> {
  await forgetAnswers()
  await enter(claims)
  tellTabs('RESTART')
}

/** Ends the session here and in every other tab; errors of the server's logout are ignored. */
export async function logout(): Promise<void> {
  await session.logout().catch(() => {})
  await endHere()
  tellTabs('LOGOUT')
}

/** Ends the session in this tab. */
export async function endHere(): Promise<void> {
  session.forget()
  sessionStore.set(noSession)
  endInterception()
  await forgetAnswers()
}

/** Switches to another client, here and in every other tab. */
export async function switchClient(clientId: number): Promise<void> {
  const { claims, custom } = sessionStore.get()
  if (!claims) throw new Error('No token found!')
  await api.call(saveUserSettings, { params: { id: claims.sub.id }, body: { client_id: clientId } })
  await restartAs(claims)
  await bringPreferences(custom)
}

/** Views the console with a role's permissions; `null` returns to the user's own (R148). */
export async function viewAs(roleId: number | null): Promise<void> {
  const { claims } = await api.callForToken(viewAsRole, { body: { role_id: roleId } })
  await restartAs(claims)
}

/** Restarts with other permissions (view as a role, or back) or for another client. */
async function restartAs(claims: SessionClaims): Promise<void> {
  await forgetAnswers()
  await enter(claims)
  tellTabs('RESTART')
}

/** Clears both caches of responses of the previous user or client (T13a). */
async function forgetAnswers(): Promise<void> {
  await responseCache.clear()
  // Last, since mounted screens refetch at once.
  queryClient.clear()
}
