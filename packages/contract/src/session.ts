import { z } from 'zod'

/** Demo client (domain.md 1L, T11): a real row whose data the console serves from the browser. */
export const demoClientId = 20607

/** A token under this many seconds of life is renewed silently; the check also runs hourly (R139). */
export const renewalSeconds = 3600

/** Life of a token in seconds: must exceed the renewal threshold (T9). */
export const tokenSeconds = 12 * 3600

/**
 * However often it is renewed, a session ends so many seconds after the login: a stolen one does not live for ever
 * (NIST SP 800-63B-4, 2.1.3: 30 days).
 */
export const longestSessionSeconds = 30 * 24 * 3600

/** The object `sub` of the token (R138). */
const sessionSubject = z.object({
  id: z.int().positive(),
  firstname: z.string(),
  lastname: z.string(),
  administrator: z.boolean(),
  superadmin: z.boolean(),
})

/** The token's claims: `sub` is an object (T9); `permissions` are those in effect, `view_role` a role viewed as. */
export const sessionClaims = z.object({
  sub: sessionSubject,
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
  permissions: z.array(z.string()),
  view_role: z.int().nullable(),
  /** A role wants a second factor that is not set up yet: until then the session has no rights. */
  second_factor_missing: z.boolean().optional(),
})
export type SessionClaims = z.infer<typeof sessionClaims>
