import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { addressDomain } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { systemActor } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { tellCaches } from '../resource/tell-caches.ts'
import { type CodeOf, fault } from '@emma/contract/faults.ts'

/** Verified claims of a single sign-on provider about a user. */
export interface ProviderIdentity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  firstname: string
  lastname: string
}

/** Who may sign in with the provider. */
export interface ProviderRules {
  /** Allowed email domains in lower case; empty: any. */
  domains: readonly string[]
  /** Role and client for accounts created at the first sign-in; null: users without an account are refused. */
  newAccount: { roleId: number; clientId: number } | null
}

/**
 * Finds the account of a user who signed in with the provider: the one linked to the identity; else the one active
 * account with the same address, if verified by the provider and confirmed here (it is then linked); else a new one, if
 * allowed.
 * @throws EmmaError `sign_in_failed` with the reason
 */
export function findProviderAccount(
  db: Db,
  identity: ProviderIdentity,
  rules: ProviderRules,
): Promise<number> {
  return transaction(db, async tx => {
    assertWelcome(identity, rules)
    return (
      (await tiedAccount(tx, identity)) ??
      (await accountWithAddress(tx, identity)) ??
      (await newAccount(tx, identity, rules))
    )
  })
}

function assertWelcome({ email, isEmailVerified }: ProviderIdentity, { domains }: ProviderRules): void {
  if (domains.length === 0) return
  const domain = email && addressDomain(email)
  if (!domain || !isEmailVerified || !domains.includes(domain)) throw refused('sign_in.domain')
}

async function tiedAccount(tx: Db, { issuer, subject }: ProviderIdentity): Promise<number | null> {
  const found = await tx
    .selectFrom('user_identity')
    .innerJoin('app_user', 'app_user.id', 'user_identity.user_id')
    .select(['app_user.id', 'app_user.active', 'app_user.deleted_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (!found || found.deleted_at !== null) return null
  if (!found.active) throw refused('sign_in.inactive')
  return found.id
}

/**
 * Finds the account by address. Both sides must have verified it: otherwise anybody could have typed it, at the
 * provider or here.
 */
async function accountWithAddress(tx: Db, identity: ProviderIdentity): Promise<number | null> {
  const { email, isEmailVerified } = identity
  if (email === null || !isEmailVerified) return null
  const { rows } = await sql<{ id: number; active: boolean; is_confirmed: boolean }>`
    select id, active, email_confirmed_at is not null as is_confirmed from app_user where lower(email) = lower(${email}) and deleted_at is null
    order by id limit 2 for update`.execute(tx)
  const [first, second] = rows
  if (!first) return null
  if (second) throw refused('sign_in.several')
  if (!first.active) throw refused('sign_in.inactive')
  if (!first.is_confirmed) throw refused('sign_in.unconfirmed')
  await tie(tx, identity, first.id)
  return first.id
}

async function newAccount(tx: Db, identity: ProviderIdentity, rules: ProviderRules): Promise<number> {
  const { email, isEmailVerified, firstname, lastname } = identity
  if (rules.newAccount === null || email === null || !isEmailVerified) throw refused('sign_in.unknown')
  const { roleId, clientId } = rules.newAccount
  const made = await tx
    .insertInto('app_user')
    .values({
      username: email.toLowerCase().slice(0, 254),
      email,
      firstname,
      lastname,
      email_confirmed_at: new Date().toISOString(),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw refused('sign_in.name_taken')
  const { id } = made
  await tx.insertInto('user_role').values({ user_id: id, role_id: roleId }).execute()
  await tx.insertInto('user_client').values({ user_id: id, client_id: clientId }).execute()
  await tx.insertInto('user_settings').values({ user_id: id, client_id: clientId }).execute()
  await tellCaches(tx)
  await tie(tx, identity, id)
  return id
}

/** Links the identity to the account and writes the change to the audit log. */
async function tie(tx: Db, { issuer, subject, email }: ProviderIdentity, userId: number): Promise<void> {
  await sql`
    insert into user_identity (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
    on conflict (issuer, subject) do update set user_id = excluded.user_id`.execute(tx)
  await logChange(
    tx,
    { ...systemActor(installation), userId },
    {
      clientId: installation,
      object: 'user',
      id: userId,
      action: 'tie_provider',
      changes: { issuer: [null, issuer], email: [null, email] },
    },
  )
}

function refused(code: CodeOf<'sign_in'>): EmmaError {
  return new EmmaError('sign_in_failed', fault(code))
}
