import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { type Actor, accessibleClients } from '../resource/actor.ts'
import { clientOperations } from './client-operations.ts'
import { userOperations } from './user-operations.ts'

interface UserClient {
  user_id: number
  client_id: number
}

/** One client of a user (R226). Throws `not_found` when the user has no access to it. */
export async function readUserClient(
  db: Db,
  actor: Actor,
  id: number,
  clientId: number,
): Promise<UserClient> {
  if (!(await clientsOf(db, actor, id)).includes(clientId)) throw new EmmaError('not_found')
  return { user_id: id, client_id: clientId }
}

/** Gives a user access to a client that the actor has access to. Throws `not_found` for an unknown client. */
export async function addUserClient(db: Db, actor: Actor, id: number, clientId: number): Promise<UserClient> {
  const clients = await clientsOf(db, actor, id)
  if (clients.includes(clientId)) return { user_id: id, client_id: clientId }
  await clientOperations.find(db, actor, accessibleClients(actor), clientId)
  await saveClients(db, actor, id, [...clients, clientId])
  return { user_id: id, client_id: clientId }
}

/** Removes a user's access to a client. Throws `not_found` when the user has none. */
export async function removeUserClient(db: Db, actor: Actor, id: number, clientId: number): Promise<void> {
  await readUserClient(db, actor, id, clientId)
  const clients = await clientsOf(db, actor, id)
  await saveClients(
    db,
    actor,
    id,
    clients.filter(client => client !== clientId),
  )
}

async function clientsOf(db: Db, actor: Actor, id: number): Promise<number[]> {
  const { clients } = await userOperations.find(db, actor, accessibleClients(actor), id)
  return clients
}

async function saveClients(db: Db, actor: Actor, id: number, clients: number[]): Promise<void> {
  await userOperations.patch(db, actor, accessibleClients(actor), id, { clients }, { revision: null })
}
