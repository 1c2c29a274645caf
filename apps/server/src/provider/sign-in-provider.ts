import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import type { ProviderIdentity } from '@emma/core/account/provider-account.ts'
import { openSecret, sealSecret } from '@emma/core/deliverability/secret-box.ts'
import {
  readSettingSecret,
  readSystemSettings,
  type SignInSettings,
} from '@emma/core/platform/system-settings.ts'
import * as oidc from 'openid-client'
import { z } from 'zod'
import type { Http } from '../http/http.ts'
import { guardedFetch, type Reach } from './guarded-fetch.ts'
import { type CodeOf, fault } from '@emma/contract/faults.ts'

type SignInContext = Pick<Http, 'config' | 'db' | 'logger'>

/** Milliseconds from the button to the callback. */
const SIGN_IN_TIMEOUT_MS = 10 * 60_000

/**
 * Encrypted state stored in the browser during the redirect, so that a callback cannot be injected (RFC 6749, 10.12).
 */
const pending = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), expires: z.number() })

/** Encrypted state stored while the user enters the second factor: the authenticated user. */
const vouched = z.object({ userId: z.int(), expires: z.number() })
const CODE_TIMEOUT_MS = 5 * 60_000

export function redirectUrl({ config }: Pick<Http, 'config'>): string {
  return `${config.publicUrl}/login`
}

/** The provider's name for the button; null without provider. */
export async function providerName({ db }: Pick<Http, 'db'>): Promise<string | null> {
  const { sign_in: settings } = await readSystemSettings(db)
  return settings.is_enabled ? settings.name : null
}

/** Returns the redirect URL, and the state to store meanwhile. Throws `sign_in_failed` with a fault. */
export async function beginProviderSignIn(context: SignInContext): Promise<{ url: string; kept: string }> {
  const { provider } = await openProvider(context)
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUrl(context),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return {
    url: url.href,
    kept: seal(context, { state, nonce, verifier, expires: Date.now() + SIGN_IN_TIMEOUT_MS }),
  }
}

/** Creates the state to store until the second factor is entered. */
export function keepVouched(context: Pick<Http, 'config'>, userId: number): string {
  return seal(context, { userId, expires: Date.now() + CODE_TIMEOUT_MS })
}

/** Reads the user authenticated by the provider in this browser. Throws `sign_in_failed` with a fault. */
export function readVouched(context: Pick<Http, 'config'>, kept: string | null): number {
  return openKept(context, kept, vouched).userId
}

/**
 * Handles the callback: exchanges the code, and checks signature, issuer, audience, nonce and times of the ID token.
 * `answer`: the query of the callback. Throws `sign_in_failed` with a fault.
 */
export async function finishProviderSignIn(
  context: SignInContext,
  answer: string,
  kept: string | null,
): Promise<{ identity: ProviderIdentity; settings: SignInSettings }> {
  const { state, nonce, verifier } = openKept(context, kept, pending)
  const { provider, settings } = await openProvider(context)
  const query = new URLSearchParams(answer)
  if (query.get('error') === 'access_denied') throw failure('sign_in.cancelled')
  const tokens = await oidc
    .authorizationCodeGrant(provider, new URL(`${redirectUrl(context)}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    .catch((error: unknown) => {
      context.logger.warn({ err: error }, 'a sign-in with the provider was refused')
      throw failure('sign_in.invalid_answer')
    })
  const claims = tokens.claims()
  if (!claims) throw failure('sign_in.invalid_answer')
  const profile = hasAddress.safeParse(claims).success
    ? claims
    : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub).catch(() => claims)
  return { settings, identity: identityOf(claims.iss, claims.sub, profile) }
}

/** Requests the provider's metadata, to detect wrong settings at once. Throws `invalid` for the field. */
export async function tryProvider(
  context: Pick<Http, 'config' | 'logger'>,
  settings: SignInSettings,
): Promise<void> {
  if (!settings.is_enabled) return
  const missing = (['name', 'issuer', 'client_id'] as const).filter(field => !settings[field])
  if (missing.length > 0) throw invalid(missing.map(field => fieldError(field, 'field.required')))
  await discover(context, settings, null).catch((error: unknown) => {
    context.logger.warn({ err: error }, 'the sign-in provider does not answer as one')
    throw invalid([fieldError('issuer', 'field.issuer')])
  })
}

async function openProvider({ config, db, logger }: SignInContext) {
  const { sign_in: settings } = await readSystemSettings(db)
  if (!settings.is_enabled) throw failure('sign_in.off')
  const secret = await readSettingSecret(db, config.deriveKey('secrets at rest'), 'sign_in')
  try {
    return { settings, provider: await discover({ config }, settings, secret) }
  } catch (error) {
    logger.warn({ err: error }, 'the sign-in provider cannot be reached')
    throw failure('sign_in.unreachable')
  }
}

/** Discovers the provider's metadata. Plain http only if the address may be private. */
function discover(
  { config }: Pick<Http, 'config'>,
  { issuer, client_id: clientId }: SignInSettings,
  secret: string | null,
): Promise<oidc.Configuration> {
  const address = new URL(issuer ?? '')
  const reach = reachOf(config)
  if (address.protocol !== 'https:' && reach === 'public') throw new Error('the issuer must be https')
  return oidc.discovery(
    address,
    clientId ?? '',
    {},
    secret === null ? oidc.None() : oidc.ClientSecretPost(secret),
    {
      [oidc.customFetch]: guardedFetch(reach),
      execute: address.protocol === 'https:' ? [] : [oidc.allowInsecureRequests],
      timeout: 10,
    },
  )
}

function reachOf({ allowPrivateIssuer, environment }: Http['config']): Reach {
  if (allowPrivateIssuer) return 'private'
  return environment === 'production' ? 'public' : 'loopback'
}

function seal(context: Pick<Http, 'config'>, kept: object): string {
  return sealSecret(cookieKey(context), JSON.stringify(kept)).toString('base64url')
}

function openKept<T extends { expires: number }>(
  context: Pick<Http, 'config'>,
  kept: string | null,
  schema: z.ZodType<T>,
): T {
  try {
    const text = openSecret(cookieKey(context), Buffer.from(kept ?? '', 'base64url'))
    const known = schema.parse(JSON.parse(text))
    if (known.expires > Date.now()) return known
  } catch {
    // Missing, altered or of another installation: the same error.
  }
  throw failure('sign_in.late')
}

const hasAddress = z.looseObject({ email: z.string(), email_verified: z.unknown() })
const word = z.string().max(255).catch('')

function identityOf(issuer: string, subject: string, profile: Record<string, unknown>): ProviderIdentity {
  const email = z.email().max(254).safeParse(profile.email)
  return {
    issuer,
    subject,
    email: email.success ? email.data : null,
    isEmailVerified: profile.email_verified === true,
    firstname: word.parse(profile.given_name) || word.parse(profile.name),
    lastname: word.parse(profile.family_name),
  }
}

function cookieKey({ config }: Pick<Http, 'config'>): Buffer {
  return config.deriveKey('sign-in cookie')
}

function failure(code: CodeOf<'sign_in'>): EmmaError {
  return new EmmaError('sign_in_failed', fault(code))
}
