import { EmmaError } from '@emma/contract/errors.ts'
import type { Sql } from '@emma/db/connection.ts'
import { type Actor, accessibleClients } from '../resource/actor.ts'
import type { Fields } from '../resource/operations.ts'
import { userOperations } from './user-operations.ts'

/** One client of a person (R226). Throws `not_found` when the person does not work for it. */
export async function readUserClient(sql: Sql, actor: Actor, id: number, clientId: number): Promise<Fields> {
  if (!(await clientsOf(sql, actor, id)).includes(clientId)) throw new EmmaError('not_found')
  return { user_id: id, client_id: clientId }
}

/** Gives the person the client; the actor must have it. */
export async function addUserClient(sql: Sql, actor: Actor, id: number, clientId: number): Promise<Fields> {
  const clients = await clientsOf(sql, actor, id)
  if (!clients.includes(clientId)) await saveClients(sql, actor, id, [...clients, clientId])
  return { user_id: id, client_id: clientId }
}

/** Takes the client away. Throws `not_found` when the person does not work for it. */
export async function removeUserClient(sql: Sql, actor: Actor, id: number, clientId: number): Promise<void> {
  await readUserClient(sql, actor, id, clientId)
  const clients = await clientsOf(sql, actor, id)
  await saveClients(
    sql,
    actor,
    id,
    clients.filter(client => client !== clientId),
  )
}

async function clientsOf(sql: Sql, actor: Actor, id: number): Promise<number[]> {
  const { clients } = await userOperations.find(sql, actor, accessibleClients(actor), id)
  return Array.isArray(clients) ? clients.map(Number) : []
}

async function saveClients(sql: Sql, actor: Actor, id: number, clients: number[]): Promise<void> {
  await userOperations.patch(sql, actor, accessibleClients(actor), id, { clients }, { revision: null })
}
