import { EmmaError } from '@emma/contract/errors.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { user } from '@emma/contract/resources/user.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { hash } from '@node-rs/argon2'
import { sql as raw } from 'kysely'
import { revokeSessions } from '../account/sessions.ts'
import { type Actor, mayReach } from '../resource/actor.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

const standard = resourceOperations(user, {
  table: 'app_user',
  computed: ['password', 'roles', 'clients', 'isDemo'],
  hidden: [],
  special: {
    colleagues: values =>
      raw`r.id in (select user_id from user_client where client_id = any(${values}::int[]))`,
  },
})

/**
 * People. Who is no superadmin sees the people of the own clients, hands out only the own clients and never makes a
 * superadmin. A new password, other roles or other rights end all sessions of the person.
 */
export const userOperations: Operations = {
  ...standard,
  async list(sql, actor, scope, query) {
    const filters =
      actor.clientIds === 'all' ? query.filters : { ...query.filters, colleagues: [...actor.clientIds] }
    const page = await standard.list(sql, actor, scope, { ...query, filters })
    return { ...page, data: await withTies(sql, page.data) }
  },
  async find(sql, actor, scope, id) {
    const [record] = await withTies(sql, [await standard.find(sql, actor, scope, id)])
    if (!record || !isColleague(actor, record)) throw new EmmaError('not_found')
    return record
  },
  create(sql, actor, _clientId, input) {
    assertMayGrant(actor, input)
    return transaction(sql, async tx => {
      const { roles, clients, password, ...fields } = input
      const made = await standard.create(tx, actor, null, fields)
      const id = Number(made.id)
      await writeTies(tx, id, roles, clients)
      if (typeof password === 'string') await setPassword(tx, id, password)
      return userOperations.find(tx, actor, { clientIds: 'all' }, id)
    })
  },
  patch(sql, actor, scope, id, input, options) {
    assertMayGrant(actor, input)
    return transaction(sql, async tx => {
      await userOperations.find(tx, actor, scope, id)
      const { roles, clients, password, ...fields } = input
      await standard.patch(tx, actor, scope, id, fields, options)
      await writeTies(tx, id, roles, clients)
      if (typeof password === 'string') await setPassword(tx, id, password)
      const isRightsChange = ['roles', 'clients', 'administrator', 'superadmin', 'active'].some(
        field => input[field] !== undefined,
      )
      if (typeof password === 'string' || (isRightsChange && id !== actor.userId))
        await revokeSessions(tx, id)
      return userOperations.find(tx, actor, scope, id)
    })
  },
  async remove(sql, actor, scope, id, options) {
    await userOperations.find(sql, actor, scope, id)
    if (id === actor.userId) throw new EmmaError('conflict', 'Nobody can remove the own account.')
    await transaction(sql, async tx => {
      await standard.remove(tx, actor, scope, id, options)
      await revokeSessions(tx, id)
    })
  },
}

async function withTies(sql: Sql, records: Fields[]): Promise<Fields[]> {
  const ids = records.map(record => Number(record.id))
  const roles = await raw<{ user_id: number; ids: number[] }>`
    select user_id, array_agg(role_id order by role_id) as ids from user_role
    where user_id = any(${ids}::int[]) group by user_id`.execute(sql)
  const clients = await raw<{ user_id: number; ids: number[] }>`
    select user_id, array_agg(client_id order by client_id) as ids from user_client
    where user_id = any(${ids}::int[]) group by user_id`.execute(sql)
  return records.map(record => {
    const own = clients.rows.find(row => row.user_id === record.id)?.ids ?? []
    return {
      ...record,
      roles: roles.rows.find(row => row.user_id === record.id)?.ids ?? [],
      clients: own,
      isDemo: own.includes(demoClientId),
    }
  })
}

async function writeTies(sql: Sql, id: number, roles: unknown, clients: unknown): Promise<void> {
  if (Array.isArray(roles)) {
    await sql.deleteFrom('user_role').where('user_id', '=', id).execute()
    await raw`insert into user_role (user_id, role_id) select distinct ${id}::int, unnest(${roles}::int[])`.execute(
      sql,
    )
  }
  if (!Array.isArray(clients)) return
  await sql.deleteFrom('user_client').where('user_id', '=', id).execute()
  await raw`insert into user_client (user_id, client_id) select distinct ${id}::int, unnest(${clients}::int[])`.execute(
    sql,
  )
  await raw`delete from user_settings where user_id = ${id} and client_id <> all(${clients}::int[])`.execute(
    sql,
  )
  await raw`
    insert into user_settings (user_id, client_id, position)
    select ${id}::int, client_id, row_number() over () + 1000 from unnest(${clients}::int[]) as client_id
    on conflict do nothing`.execute(sql)
}

/** Hashes with the library's settings (argon2id, 19 MiB, 2 passes: OWASP). */
export async function setPassword(sql: Sql, id: number, password: string): Promise<void> {
  await sql
    .updateTable('app_user')
    .set({ password_hash: await hash(password), failed_logins: 0, locked_until: null })
    .where('id', '=', id)
    .execute()
}

function assertMayGrant(actor: Actor, input: Fields): void {
  if (actor.superadmin) return
  if (input.superadmin === true || (input.administrator === true && !actor.administrator))
    throw new EmmaError('forbidden')
  const foreign =
    Array.isArray(input.clients) && input.clients.some(client => !mayReach(actor, Number(client)))
  if (foreign) throw new EmmaError('not_found')
}

function isColleague(actor: Actor, record: Fields): boolean {
  if (actor.clientIds === 'all' || record.id === actor.userId) return true
  return Array.isArray(record.clients) && record.clients.some(client => mayReach(actor, Number(client)))
}
