import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { demoClientId } from '@emma/contract/session.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { user } from '@emma/contract/resources/user.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { revokeApiTokens } from '../account/api-tokens.ts'
import { findLocks, unlockAccount } from '../account/login-attempts.ts'
import { revokeSessions } from '../account/sessions.ts'
import { type Actor, canAccessClient, accessibleClients, type TenantScope } from '../resource/actor.ts'
import { difference, installation, logChange } from '../resource/log-change.ts'
import type { Operations, WriteOptions } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { tellCaches } from '../resource/tell-caches.ts'
import { fault } from '@emma/contract/faults.ts'

type User = Row<typeof user>
type Stored = Omit<User, 'roles' | 'clients' | 'isDemo' | 'locked_until'>
type Changes = Patch<typeof user>

const standard = resourceOperations(user, {
  table: 'app_user',
  computed: ['has_second_factor', 'has_password'],
  added: ['password', 'roles', 'clients', 'isDemo', 'locked_until'],
  hidden: ['second_factor_since', 'password_hash'],
  toRecord: ({ second_factor_since, password_hash }) => ({
    has_second_factor: second_factor_since !== null,
    has_password: password_hash !== null,
  }),
  special: {
    colleagues: values =>
      sql`r.id in (select user_id from user_client where client_id = any(${values}::bigint[]))`,
  },
})

/**
 * CRUD operations of users. Users other than superadmins see only users of their own clients, assign only their own
 * clients and roles without permissions beyond their own, and cannot change users with more permissions. A new password
 * and changed roles or permissions revoke the user's sessions; a new password also revokes the API tokens. Users change
 * their own password and address in their account, with the current password.
 */
export const userOperations: Operations<typeof user> = {
  ...standard,
  async list(db, actor, scope, query) {
    const filters =
      actor.clientIds === 'all' ? query.filters : { ...query.filters, colleagues: [...actor.clientIds] }
    const page = await standard.list(db, actor, scope, { ...query, filters })
    return { ...page, data: await withMemberships(db, actor, page.data) }
  },
  async find(db, actor, scope, id) {
    const [record] = await withMemberships(db, actor, [await standard.find(db, actor, scope, id)])
    if (!record || !isVisibleTo(actor, record)) throw new EmmaError('not_found')
    return record
  },
  create(db, actor, _clientId, input) {
    return transaction(db, async tx => {
      await assertMayGrant(tx, actor, input, null)
      const { roles, clients, password, ...fields } = input
      const made = await standard.create(tx, actor, null, fields)
      const { id } = made
      await writeTies(tx, actor, id, roles, clients)
      if (password !== undefined) await setPassword(tx, id, password)
      if (actor.superadmin) await confirmEmail(tx, id)
      const after = await userOperations.find(tx, actor, { clientIds: 'all' }, id)
      await logTies(tx, actor, null, after, password !== undefined)
      return after
    })
  },
  async patch(db, actor, scope, id, input, options) {
    return (await patchUser(db, actor, scope, id, input, options)).record
  },
  async remove(db, actor, scope, id, options) {
    await assertMayRemove(db, actor, scope, id)
    await transaction(db, async tx => {
      await standard.remove(tx, actor, scope, id, options)
      await revokeSessions(tx, id)
    })
  },
  async removal(db, actor, scope, id) {
    await assertMayRemove(db, actor, scope, id)
    return standard.removal(db, actor, scope, id)
  },
}

/** Changes a user in one transaction. `formerEmail`: the previous address when it changed (ignoring case), else null. */
export function patchUser(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  input: Changes,
  options: WriteOptions,
): Promise<{ record: User; formerEmail: string | null }> {
  return transaction(db, async tx => {
    await sql`select from app_user where id = ${id} for update`.execute(tx)
    const before = await userOperations.find(tx, actor, scope, id)
    await assertMayChange(tx, actor, before)
    if (id === actor.userId) assertNoCredentials(before, input)
    await assertMayGrant(tx, actor, input, before)
    if (changesCredentials(before, input)) await assertSharesAllClients(tx, actor, id)
    const { roles, clients, password, ...fields } = input
    await standard.patch(tx, actor, scope, id, fields, options)
    await writeTies(tx, actor, id, roles, clients)
    if (password !== undefined) {
      await setPassword(tx, id, password)
      await unlockAccount(tx, id)
      await revokeApiTokens(tx, id)
    }
    if (actor.superadmin && 'email' in input) await confirmEmail(tx, id)
    // After the removal of the last common client the actor cannot find the user any more, but still gets the result.
    const [after = before] = await withMemberships(tx, actor, [
      await standard.find(tx, actor, { clientIds: 'all' }, id),
    ])
    if (password !== undefined || rightsOf(before) !== rightsOf(after)) await revokeSessions(tx, id)
    await logTies(tx, actor, before, after, password !== undefined)
    const former = before.email
    const isMoved = former.toLowerCase() !== after.email.toLowerCase()
    return { record: after, formerEmail: isMoved ? former : null }
  })
}

async function assertMayRemove(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<void> {
  await assertMayChange(db, actor, await userOperations.find(db, actor, scope, id))
  if (id === actor.userId) throw new EmmaError('conflict', fault('refusal.own_account'))
}

/**
 * Whether the actor may take actions that give access to the account. Returns the user. Throws `not_found`,
 * `forbidden`.
 */
export async function assertMayManage(db: Db, actor: Actor, id: number): Promise<User> {
  const person = await userOperations.find(db, actor, accessibleClients(actor), id)
  await assertMayChange(db, actor, person)
  await assertSharesAllClients(db, actor, id)
  return person
}

/** Adds roles and clients; omits clients that the actor has no access to. */
async function withMemberships(db: Db, actor: Actor, records: Stored[]): Promise<User[]> {
  const ids = records.map(record => record.id)
  const roles = await sql<{ user_id: number; ids: number[] }>`
    select user_id, array_agg(role_id order by role_id) as ids
    from user_role ur join role r on r.id = ur.role_id and r.deleted_at is null
    where user_id = any(${ids}::bigint[]) group by user_id`.execute(db)
  const clients = await sql<{ user_id: number; ids: number[] }>`
    select user_id, array_agg(client_id order by client_id) as ids
    from user_client join client using (client_id)
    where user_id = any(${ids}::bigint[]) and client.deleted_at is null group by user_id`.execute(db)
  const locks = await findLocks(db, ids)
  return records.map(record => {
    const own = clients.rows.find(row => row.user_id === record.id)?.ids ?? []
    return {
      ...record,
      roles: roles.rows.find(row => row.user_id === record.id)?.ids ?? [],
      clients: own.filter(client => canAccessClient(actor, client)),
      isDemo: own.includes(demoClientId),
      locked_until: locks.get(record.id) ?? null,
    }
  })
}

/** Replaces the roles, and those clients that the actor has access to; the user keeps the others. */
async function writeTies(
  db: Db,
  actor: Actor,
  id: number,
  roles: number[] | undefined,
  clients: number[] | undefined,
): Promise<void> {
  if (roles) {
    await db.deleteFrom('user_role').where('user_id', '=', id).execute()
    await sql`insert into user_role (user_id, role_id) select distinct ${id}::bigint, unnest(${roles}::bigint[])`.execute(
      db,
    )
  }
  if (!clients) return
  const reachable = actor.clientIds === 'all' ? null : actor.clientIds
  await sql`
    delete from user_client
    where user_id = ${id} and (${reachable}::bigint[] is null or client_id = any(${reachable}::bigint[]))`.execute(
    db,
  )
  await sql`
    insert into user_client (user_id, client_id) select distinct ${id}::bigint, unnest(${clients}::bigint[])`.execute(
    db,
  )
  await sql`
    delete from user_settings s
    where user_id = ${id}
      and not exists (select from user_client c where c.user_id = s.user_id and c.client_id = s.client_id)`.execute(
    db,
  )
  await sql`
    insert into user_settings (user_id, client_id, position)
    select ${id}::bigint, client_id, row_number() over () + 1000 from unnest(${clients}::bigint[]) as client_id
    on conflict do nothing`.execute(db)
  await tellCaches(db)
}

/**
 * Hashes and stores a password (argon2id with the library's defaults: 19 MiB, 2 passes, as OWASP recommends).
 * Invalidates open password links.
 */
export async function setPassword(db: Db, id: number, password: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ password_hash: await hash(password) })
    .where('id', '=', id)
    .execute()
  await sql`update password_reset set used_at = now() where user_id = ${id} and used_at is null`.execute(db)
}

/** Marks the email address as verified, which single sign-on requires. */
export async function confirmEmail(db: Db, id: number): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ email_confirmed_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** A stolen session must not take over the account: changing credentials requires the current password. */
function assertNoCredentials(before: User, input: Changes): void {
  const faults = [
    ...(input.password !== undefined ? ['password'] : []),
    ...('email' in input && input.email !== before.email ? ['email'] : []),
  ]
  if (faults.length > 0) throw invalid(faults.map(field => fieldError(field, 'field.own_credentials')))
}

/** Checks that the roles and clients exist and that the actor has all they assign. */
async function assertMayGrant(db: Db, actor: Actor, input: Changes, before: User | null): Promise<void> {
  const { clients = [], roles = [] } = input
  if (!clients.every(client => canAccessClient(actor, client))) throw new EmmaError('not_found')
  const gains = (flag: 'superadmin' | 'administrator') => input[flag] === true && !before?.[flag]
  if (!actor.superadmin && (gains('superadmin') || (gains('administrator') && !actor.administrator)))
    throw new EmmaError('forbidden')
  const granted = roles.filter(role => !before?.roles.includes(role))
  const known = await sql<{ id: number; kind: string; permissions: string[]; is_administrator: boolean }>`
    select id, 'roles' as kind, permissions, is_administrator from role
    where id = any(${granted}::bigint[]) and deleted_at is null
    union all
    select client_id, 'clients', '{}', false from client
    where client_id = any(${clients}::bigint[]) and deleted_at is null`.execute(db)
  const isGrantable = (role: { permissions: string[]; is_administrator: boolean }) =>
    actor.superadmin || (hasAll(actor, role.permissions) && (!role.is_administrator || actor.administrator))
  const faults = (['roles', 'clients'] as const).flatMap(field => {
    // A role with more permissions than the actor's is treated like a missing one.
    const ids = new Set(known.rows.filter(row => row.kind === field && isGrantable(row)).map(row => row.id))
    const wanted = field === 'roles' ? granted : clients
    return wanted.every(id => ids.has(id)) ? [] : [fieldError(field, 'field.not_there')]
  })
  if (faults.length > 0) throw invalid(faults)
}

/** The actor must have all permissions of the user: setting a password or address gives access to them. */
async function assertMayChange(db: Db, actor: Actor, person: User): Promise<void> {
  if (actor.superadmin || person.id === actor.userId) return
  if (person.superadmin) throw new EmmaError('forbidden')
  const held = await sql<{ permissions: string[]; administrator: boolean }>`
    select coalesce(array_agg(distinct permission) filter (where permission is not null), '{}') as permissions,
      coalesce(bool_or(r.is_administrator), false) as administrator
    from role r left join unnest(r.permissions) as permission on true
    where r.id = any(${person.roles}::bigint[]) and r.deleted_at is null`.execute(db)
  const { permissions = [], administrator = false } = held.rows[0] ?? {}
  const isAdministrator = administrator || person.administrator
  if (!hasAll(actor, permissions) || (isAdministrator && !actor.administrator))
    throw new EmmaError('forbidden')
}

/** Whether a change gives access to the account: the password, or what a password link is requested with. */
function changesCredentials(before: User, input: Changes): boolean {
  return (
    input.password !== undefined ||
    (['email', 'username'] as const).some(name => name in input && input[name] !== before[name])
  )
}

/** The actor must have access to all clients of the user: taking over an account gives access to them. */
async function assertSharesAllClients(db: Db, actor: Actor, id: number): Promise<void> {
  if (actor.clientIds === 'all' || id === actor.userId) return
  const foreign = await db
    .selectFrom('user_client')
    .innerJoin('client', 'client.client_id', 'user_client.client_id')
    .select('user_client.client_id')
    .where('user_id', '=', id)
    .where('client.deleted_at', 'is', null)
    .where('user_client.client_id', 'not in', [...actor.clientIds, 0])
    .executeTakeFirst()
  if (foreign) throw new EmmaError('forbidden')
}

/** Logs changes of roles, clients and passwords, which are not columns of the user's row. */
async function logTies(
  db: Db,
  actor: Actor,
  before: User | null,
  after: User,
  isNewPassword: boolean,
): Promise<void> {
  const changes = difference(before ?? {}, after, ['roles', 'clients'])
  const entry = { clientId: installation, object: user.name, id: after.id }
  if (Object.keys(changes).length > 0) await logChange(db, actor, { ...entry, action: 'grant', changes })
  if (isNewPassword) await logChange(db, actor, { ...entry, action: 'set_password' })
}

function hasAll(actor: Actor, permissions: readonly string[]): boolean {
  return permissions.every(permission => actor.permissions.has(permission))
}

/** Roles, clients and flags in a comparable form. */
function rightsOf({ roles, clients, administrator, superadmin, active }: User): string {
  return JSON.stringify([roles, clients, administrator, superadmin, active])
}

function isVisibleTo(actor: Actor, { id, clients }: User): boolean {
  return (
    actor.clientIds === 'all' || id === actor.userId || clients.some(client => canAccessClient(actor, client))
  )
}
