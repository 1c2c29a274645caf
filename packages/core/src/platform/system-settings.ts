import type {
  beefreeExportSettings,
  beefreeSettings,
  mailSettings,
  signInSettings,
  smsSettings,
  writingSettings,
} from '@emma/contract/actions/system-settings.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { openSecret, sealSecret } from '../deliverability/secret-box.ts'
import type { Actor } from '../resource/actor.ts'
import { assertSecretFollows, isLeftBehind, type SecretDestination } from '../resource/bound-secret.ts'
import { difference, installation, logChange } from '../resource/log-change.ts'

export type MailSettings = z.infer<typeof mailSettings>
export type SignInSettings = z.infer<typeof signInSettings>

interface SystemSettings {
  mail: MailSettings
  sign_in: SignInSettings
  writing: z.infer<typeof writingSettings>
  sms: z.infer<typeof smsSettings>
  beefree: z.infer<typeof beefreeSettings>
  beefree_export: z.infer<typeof beefreeExportSettings>
  audit_days: number
  /** Signing domains in lower case. */
  feedback_loops: { senders: readonly string[] }
  /** Whether mail may be sent outside this installation. */
  real_delivery: boolean
}

const defaults: SystemSettings = {
  mail: { is_enabled: false, from: null, host: null, port: 587, tls: 'starttls', username: null },
  sign_in: {
    is_enabled: false,
    name: '',
    issuer: null,
    client_id: null,
    domains: [],
    role_id: null,
    tenant_id: null,
    trusts_second_factor: false,
  },
  writing: { is_enabled: false, url: null, model: null },
  sms: { is_enabled: false, url: null, sender: null },
  beefree: { is_enabled: false, client_id: null, url: 'https://auth.getbee.io/loginV2' },
  beefree_export: { url: 'https://api.getbee.io/v1/message/html' },
  audit_days: 0,
  // Yahoo signs its reports with a domain of its own; the other large feedback loops do not.
  feedback_loops: { senders: ['arf.mail.yahoo.com'] },
  real_delivery: false,
}

/** Settings with a secret, which is never returned. */
const secretsOf = ['mail', 'sign_in', 'writing', 'sms', 'beefree', 'beefree_export'] as const
type SecretOf = (typeof secretsOf)[number]
type WithSecret<N extends SecretOf> = SystemSettings[N] & { isSet: boolean }

/** Settings of the installation without their secrets; `hasSecret` tells which are set. */
export async function readSystemSettings(
  db: Db,
): Promise<SystemSettings & { hasSecret: Record<SecretOf, boolean> }> {
  const rows = await db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'in', [...Object.keys(defaults), ...secretsOf.map(secretName)])
    .execute()
  const stored = new Map<string, unknown>(rows.map(({ name, value }) => [name, value]))
  const days = stored.get('audit_days')
  return {
    mail: { ...defaults.mail, ...asObject(stored.get('mail')) },
    sign_in: { ...defaults.sign_in, ...asObject(stored.get('sign_in')) },
    writing: { ...defaults.writing, ...asObject(stored.get('writing')) },
    sms: { ...defaults.sms, ...asObject(stored.get('sms')) },
    beefree: { ...defaults.beefree, ...asObject(stored.get('beefree')) },
    beefree_export: { ...defaults.beefree_export, ...asObject(stored.get('beefree_export')) },
    audit_days: typeof days === 'number' ? days : defaults.audit_days,
    feedback_loops: { ...defaults.feedback_loops, ...asObject(stored.get('feedback_loops')) },
    real_delivery: stored.get('real_delivery') === true,
    hasSecret: {
      mail: stored.has(secretName('mail')),
      sign_in: stored.has(secretName('sign_in')),
      writing: stored.has(secretName('writing')),
      sms: stored.has(secretName('sms')),
      beefree: stored.has(secretName('beefree')),
      beefree_export: stored.has(secretName('beefree_export')),
    },
  }
}

/** Decrypted secret of a setting; null when none is set. */
export async function readSettingSecret(db: Db, key: Buffer, of: SecretOf): Promise<string | null> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', secretName(of))
    .executeTakeFirst()
  return typeof row?.value === 'string' ? openSecret(key, Buffer.from(row.value, 'base64')) : null
}

/** The fields of a setting that its secret is sent to. */
const destinations: { [N in SecretOf]: SecretDestination<WithSecret<N>> } = {
  mail: { isSet: 'isSet', destination: ['host', 'port', 'tls'], neededBy: 'username' },
  sign_in: { isSet: 'isSet', destination: ['issuer'] },
  writing: { isSet: 'isSet', destination: ['url'], neededBy: 'url' },
  sms: { isSet: 'isSet', destination: ['url'], neededBy: 'url' },
  beefree: { isSet: 'isSet', destination: ['url', 'client_id'], neededBy: 'client_id' },
  beefree_export: { isSet: 'isSet', destination: ['url'], neededBy: 'url' },
}

/** Saves a setting that has no secret. */
export function saveSystemSetting<N extends Exclude<keyof SystemSettings, SecretOf>>(
  db: Db,
  actor: Actor,
  name: N,
  value: SystemSettings[N],
): Promise<void> {
  return transaction(db, async tx => {
    const settings: SystemSettings = await readSystemSettings(tx)
    await write(tx, name, value)
    await logSetting(tx, actor, name, { before: settings[name], after: value, action: 'update' })
  })
}

/**
 * Saves a setting that has a secret.
 *
 * @param secret stored encrypted beside it; `field`: its name on the wire; `text` null or undefined keeps the stored
 * one
 * @throws EmmaError `invalid` when the destination changed and the secret was not given again
 */
export function saveSettingWithSecret<N extends SecretOf>(
  db: Db,
  actor: Actor,
  name: N,
  value: SystemSettings[N],
  { key, field, text }: { key: Buffer; field: string; text: string | null | undefined },
): Promise<void> {
  return transaction(db, async tx => {
    const { hasSecret, ...settings } = await readSystemSettings(tx)
    const before: SystemSettings[N] = settings[name]
    await write(tx, name, value)
    const isSet = hasSecret[name]
    const bound = { ...destinations[name], secret: field }
    const old: WithSecret<N> = { ...before, isSet }
    const now: WithSecret<N> = { ...value, isSet }
    if (text) await write(tx, secretName(name), sealSecret(key, text).toString('base64'))
    else if (isLeftBehind(bound, old, now))
      await tx.deleteFrom('setting').where('name', '=', secretName(name)).execute()
    else assertSecretFollows(bound, old, now, text)
    const action = text ? 'update_with_secret' : 'update'
    await logSetting(tx, actor, name, { before, after: value, action })
  })
}

async function logSetting(
  tx: Db,
  actor: Actor,
  name: keyof SystemSettings,
  { before, after, action }: Record<'before' | 'after', SettingValue> & { action: string },
): Promise<void> {
  const [old, now] = [logged(name, before), logged(name, after)]
  const changes = difference(old, now, Object.keys(now))
  await logChange(tx, actor, { clientId: installation, object: 'setting', id: 0, action, changes })
}

async function write(db: Db, name: string, value: unknown): Promise<void> {
  await sql`
    insert into setting (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value, updated_at = now()`.execute(db)
}

function secretName(of: SecretOf): string {
  return `${of}_secret`
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

type SettingValue = SystemSettings[keyof SystemSettings]

/** A setting by the field names of the audit log: `mail.host`, `sign_in.issuer` … */
function logged(name: string, value: SettingValue) {
  if (typeof value !== 'object') return { [name]: value }
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [`${name}.${field}`, inner]))
}

/**
 * Checks that the role and client for accounts created by single sign-on exist.
 *
 * @throws EmmaError `invalid`
 */
export async function assertMembership(
  db: Db,
  { role_id: roleId, tenant_id: clientId }: { role_id: number | null; tenant_id: number | null },
): Promise<void> {
  if (roleId === null || clientId === null) return
  const role = await db
    .selectFrom('role')
    .select('id')
    .where('id', '=', roleId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const client = await db
    .selectFrom('client')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const faults = [
    ...(role ? [] : [fieldError('role_id', 'field.not_there')]),
    ...(client ? [] : [fieldError('tenant_id', 'field.not_there')]),
  ]
  if (faults.length > 0) throw invalid(faults)
}
