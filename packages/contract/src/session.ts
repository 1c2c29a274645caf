import { z } from 'zod'

/** Demo client (domain.md 1L, T11): an ordinary row whose data the console serves from the browser. */
export const demoClientId = 20607

/** Remaining lifetime in seconds below which a token is renewed silently; also checked hourly (R139). */
export const renewalSeconds = 3600

/** Lifetime of a token in seconds; must exceed the renewal threshold (T9). */
export const tokenSeconds = 12 * 3600

/**
 * Maximum lifetime of a session in seconds after the login, whatever renewals: limits a stolen session (NIST SP
 * 800-63B-4, 2.1.3: 30 days).
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

/**
 * Claims of the token: `sub` is an object (T9); `permissions` are the effective ones, `view_role` is a role viewed as.
 */
export const sessionClaims = z.object({
  sub: sessionSubject,
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
  permissions: z.array(z.string()),
  view_role: z.int().nullable(),
  /** A role requires a second factor that is not set up; until then the session has no permissions. */
  second_factor_missing: z.boolean().optional(),
})
export type SessionClaims = z.infer<typeof sessionClaims>
