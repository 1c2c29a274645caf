import { type Entity, methods, type Permission } from '@emma/contract/permissions.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { tellCaches } from '../resource/tell-caches.ts'
import { type CreatedAccount, createAccount, type NewAccount } from './create-account.ts'

/** The demo's client (T11): a row like any other, so that people can be given a place in it. */
export async function ensureDemoClient(db: Db): Promise<void> {
  await db
    .insertInto('client')
    .values({
      client_id: demoClientId,
      name: 'Demo',
      contact_email: 'hello@demo.example',
      is_demo: true,
      timezone: 'Europe/Berlin',
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await tellCaches(db)
}

/**
 * An account that works for the demo client: with the rights on what the demo has, and nowhere else.
 *
 * @throws UsernameTakenError when the username (in any case) is in use
 */
export function createDemoAccount(db: Db, account: NewAccount): Promise<CreatedAccount> {
  return transaction(db, async tx => {
    await ensureDemoClient(tx)
    const role_id = await demoRole(tx)
    const made = await createAccount(tx, { firstname: 'Demo', ...account, superadmin: false })
    const [user_id, client_id] = [made.id, demoClientId]
    await tx.insertInto('user_client').values({ user_id, client_id }).execute()
    await tx.insertInto('user_role').values({ user_id, role_id }).execute()
    await tx.insertInto('user_settings').values({ user_id, client_id, position: 0 }).execute()
    await tellCaches(tx)
    return made
  })
}

/** What the demo has records of. */
const demoEntities: readonly Entity[] = [
  'EmmaCampaign',
  'EmmaReport',
  'EmmaMessage',
  'EmmaPlaceholder',
  'EmmaMember',
  'EmmaMemberTable',
  'EmmaList',
  'EmmaTestAddress',
  'TestGroup',
  'EmmaBlacklist',
  'EmmaCapping',
  'ReportingGroup',
  'Dashboard',
  'User',
]
const readOnly: readonly Permission[] = [
  'EmmaClient:get',
  'EmmaDomain:get',
  'EmmaMailclass:get',
  'SendVolume:get',
  'TransactionalReport:get',
]

async function demoRole(db: Db): Promise<number> {
  const name = 'Demo'
  const permissions = [
    ...demoEntities.flatMap(entity => methods.map((method): Permission => `${entity}:${method}`)),
    ...readOnly,
  ]
  await db
    .insertInto('role')
    .values({ name, permissions })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { id } = await db
    .selectFrom('role')
    .select('id')
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}
