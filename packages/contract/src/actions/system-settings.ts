import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { count, email, id, line } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

const nothing = z.object({})
const superadmin = {
  area: 'platform',
  permission: null,
  superadminOnly: true,
  params: nothing,
  query: nothing,
} as const

const domain = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, checkFault('field.domain'))

/** SMTP server for system email (invitations, password links). None is sent while disabled. */
export const mailSettings = z.strictObject({
  is_enabled: z.boolean(),
  from: email.nullable(),
  host: line(253).nullable(),
  port: z.int().min(1).max(65_535),
  tls: z.enum(['none', 'starttls', 'tls']),
  username: line(255).nullable(),
})

/** Single sign-on with an OpenID Connect provider. */
export const signInSettings = z.strictObject({
  is_enabled: z.boolean(),
  /** Text of the button: "Log in with …". */
  name: line(60),
  issuer: z
    .url({ protocol: /^https?$/, error: checkFault('field.url') })
    .max(500)
    .nullable(),
  client_id: line(255).nullable(),
  /** Allowed email domains; empty: any. */
  domains: z.array(domain).max(100),
  /** Role and client for accounts created at the first sign-in; null: users without an account are refused. */
  role_id: id.nullable(),
  tenant_id: id.nullable(),
  /** Accepts single sign-on in place of this installation's second factor. */
  trusts_second_factor: z.boolean().default(false),
})

/** OpenAI-compatible service that writes subjects; nothing is sent to one while disabled. */
export const writingSettings = z.strictObject({
  is_enabled: z.boolean(),
  /** Base address, such as `https://api.openai.com/v1`. */
  url: z
    .url({ protocol: /^https?$/, error: checkFault('field.url') })
    .max(500)
    .nullable(),
  model: line(100).nullable(),
})

/** HTTP gateway that sends the SMS of alerts: POST of `{ to, from, text }` with the key as bearer token. */
export const smsSettings = z.strictObject({
  is_enabled: z.boolean(),
  url: z
    .url({ protocol: /^https?$/, error: checkFault('field.url') })
    .max(500)
    .nullable(),
  /** Number or name that the SMS come from. */
  sender: line(20).nullable(),
})

const serviceUrl = z.url({ protocol: /^https?$/, error: checkFault('field.url') }).max(500)

/** Credentials of Beefree's editor; it is not used while disabled. */
export const beefreeSettings = z.strictObject({
  is_enabled: z.boolean(),
  client_id: line(255).nullable(),
  url: serviceUrl.default('https://auth.getbee.io/loginV2'),
})

/** Beefree's service that makes HTML of its designs; it is used if it has an address and a key. */
export const beefreeExportSettings = z.strictObject({
  url: serviceUrl.nullable().default('https://api.getbee.io/v1/message/html'),
})

/** Feedback loops whose reports prove a complaint, by their signing domain (DKIM `d=`). */
const feedbackLoops = z.strictObject({
  senders: z.array(domain.max(253)).max(50),
})

const secret = z.string().max(1000).nullish()

const settings = z.object({
  /** `signed_by`: the verified sending domain whose key signs system email; null: it is sent unsigned. */
  mail: mailSettings.extend({ password_set: z.boolean(), signed_by: z.string().nullable() }),
  sign_in: signInSettings.extend({ secret_set: z.boolean(), redirect_url: z.string() }),
  writing: writingSettings.extend({ key_set: z.boolean() }),
  sms: smsSettings.extend({ key_set: z.boolean() }),
  beefree: beefreeSettings.extend({ secret_set: z.boolean() }),
  beefree_export: beefreeExportSettings.extend({ key_set: z.boolean() }),
  /** Days after which entries of the audit log are deleted; 0: never. */
  audit_days: count,
  feedback_loops: feedbackLoops,
  /** Whether mail may be sent outside this installation. */
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

/** `password` omitted: unchanged. */
export const saveMailSettings = defineAction({
  name: 'saveMailSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/mail'],
  ...superadmin,
  body: mailSettings.extend({ password: secret }),
  response: settings,
})

/** Sends a test mail to the requesting user with the stored settings. */
export const testMailSettings = defineAction({
  name: 'testMailSettings',
  method: 'POST',
  paths: ['/v2/system-settings/mail:test'],
  ...superadmin,
  reads: true,
  body: z.unknown(),
  response: z.object({ to: z.string() }),
})

/** `client_secret` omitted: unchanged. Contacts the provider before it is enabled. */
export const saveSignInSettings = defineAction({
  name: 'saveSignInSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/sign-in'],
  ...superadmin,
  body: signInSettings.extend({ client_secret: secret }),
  response: settings,
})

/** `api_key` omitted: unchanged. */
export const saveWritingSettings = defineAction({
  name: 'saveWritingSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/writing'],
  ...superadmin,
  body: writingSettings.extend({ api_key: secret }),
  response: settings,
})

/** `api_key` omitted: unchanged. */
export const saveSmsSettings = defineAction({
  name: 'saveSmsSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/sms'],
  ...superadmin,
  body: smsSettings.extend({ api_key: secret }),
  response: settings,
})

/** `client_secret` omitted: unchanged. */
export const saveBeefreeSettings = defineAction({
  name: 'saveBeefreeSettings',
  method: 'PUT',
  paths: ['/v2/system-settings/beefree'],
  ...superadmin,
  body: beefreeSettings.extend({ client_secret: secret }),
  response: settings,
})

/** `api_key` omitted: unchanged. Without an address it is removed. */
export const saveBeefreeExport = defineAction({
  name: 'saveBeefreeExport',
  method: 'PUT',
  paths: ['/v2/system-settings/beefree-export'],
  ...superadmin,
  body: beefreeExportSettings.extend({ api_key: secret }),
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

/** Complaints in reports signed by these domains are suppressed for the whole installation. */
export const saveFeedbackLoops = defineAction({
  name: 'saveFeedbackLoops',
  method: 'PUT',
  paths: ['/v2/system-settings/feedback-loops'],
  ...superadmin,
  body: feedbackLoops,
  response: settings,
})

/** Off: mail is sent only to the testbed and to relays on this machine. */
export const saveRealDelivery = defineAction({
  name: 'saveRealDelivery',
  method: 'PUT',
  paths: ['/v2/system-settings/real-delivery'],
  ...superadmin,
  body: z.strictObject({ real_delivery: z.boolean() }),
  response: settings,
})
