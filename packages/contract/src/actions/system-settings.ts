import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { count, email, id, line } from '../fields.ts'

const nothing = z.object({})
const superadmin = {
  area: 'platform',
  permission: null,
  superadminOnly: true,
  params: nothing,
  query: nothing,
} as const

const domain = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'is not a domain')

/** SMTP server for system email (invitations, new passwords). Switched off, none is sent. */
export const mailSettings = z.strictObject({
  is_enabled: z.boolean(),
  from: email.nullable(),
  host: line(253).nullable(),
  port: z.int().min(1).max(65_535),
  tls: z.enum(['none', 'starttls', 'tls']),
  username: line(255).nullable(),
})

/** Sign-in by an OpenID Connect provider. */
export const signInSettings = z.strictObject({
  is_enabled: z.boolean(),
  /** On the button: "Log in with …". */
  name: line(60),
  issuer: z
    .url({ protocol: /^https?$/, error: 'is not a web address' })
    .max(500)
    .nullable(),
  client_id: line(255).nullable(),
  /** Only addresses of these; none: of any. */
  domains: z.array(domain).max(100),
  /** People without an account get one with this role and client; null: they are refused. */
  role_id: id.nullable(),
  tenant_id: id.nullable(),
  /** Whoever the provider vouches for is not asked for a second factor of this installation. */
  trusts_second_factor: z.boolean().default(false),
})

/** Senders of feedback loops whose reports prove a complaint, by the domain that signs them (DKIM `d=`). */
const feedbackLoops = z.strictObject({
  senders: z.array(domain.max(253)).max(50),
})

const secret = z.string().max(1000).nullish()

const settings = z.object({
  /** `signed_by`: the verified sending domain whose key signs system email; null: it leaves unsigned. */
  mail: mailSettings.extend({ password_set: z.boolean(), signed_by: z.string().nullable() }),
  sign_in: signInSettings.extend({ secret_set: z.boolean(), redirect_url: z.string() }),
  /** Days after which entries of the audit log are taken away; 0: never. */
  audit_days: count,
  feedback_loops: feedbackLoops,
  /** Whether mail may leave this installation. */
  real_delivery: z.boolean(),
})

export const readSystemSettings = defineAction({
  name: 'readSystemSettings',
  method: 'GET',
  paths: ['/v2/system-settings'],
  ...superadmin,
  body: z.unknown(),
  response: settings,
})

/** `password` left out: as it is. */
export const saveMailSettings = defineAction({
  name: 'saveMailSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/mail'],
  ...superadmin,
  body: mailSettings.extend({ password: secret }),
  response: settings,
})

/** Sends a mail to the person who asks, over the stored settings. */
export const testMailSettings = defineAction({
  name: 'testMailSettings',
  method: 'POST',
  paths: ['/v2/system-settings/mail:test'],
  ...superadmin,
  reads: true,
  body: z.unknown(),
  response: z.object({ to: z.string() }),
})

/** `client_secret` left out: as it is. Asks the provider before it is switched on. */
export const saveSignInSettings = defineAction({
  name: 'saveSignInSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/sign-in'],
  ...superadmin,
  body: signInSettings.extend({ client_secret: secret }),
  response: settings,
})

export const saveAuditSettings = defineAction({
  name: 'saveAuditSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/audit-log'],
  ...superadmin,
  body: z.strictObject({ audit_days: z.int().min(0).max(36_500) }),
  response: settings,
})

/** Complaints in reports signed by these domains are suppressed for the whole platform. */
export const saveFeedbackLoops = defineAction({
  name: 'saveFeedbackLoops',
  method: 'PUT',
  paths: ['/v2/system-settings/feedback-loops'],
  ...superadmin,
  body: feedbackLoops,
  response: settings,
})

/** Off: mail goes to the testbed and to relays on this machine alone. */
export const saveRealDelivery = defineAction({
  name: 'saveRealDelivery',
  method: 'PUT',
  paths: ['/v2/system-settings/real-delivery'],
  ...superadmin,
  body: z.strictObject({ real_delivery: z.boolean() }),
  response: settings,
})
