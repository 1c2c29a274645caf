import { type Entity, methods, type Permission } from '@emma/contract/permissions.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { tellCaches } from '../resource/tell-caches.ts'
import { type CreatedAccount, createAccount, type NewAccount } from './create-account.ts'

/** Creates the demo client (T11) if it is missing; an ordinary row, so that users can be given access to it. */
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
 * Creates an account with access to the demo client only and permissions for the demo's entities.
 *
 * @throws UsernameTakenError when the username or address (case-insensitive) is in use
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

/** Entities that the demo has records of. */
const demoEntities: readonly Entity[] = [
  'EmmaCampaign',
  'EmmaReport',
  'EmmaMessage',
  'EmmaPlaceholder',
  'EmmaPmt',
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
const others: readonly Permission[] = [
  'EmmaClient:get',
  'EmmaDomain:get',
  'EmmaMailclass:get',
  'SendVolume:get',
  'AgbConfirm:get',
  'BavConfirm:get',
  'BavConfirm:post',
  'TransactionalReport:get',
  'VolumeCalculator:get',
]

async function demoRole(db: Db): Promise<number> {
  const name = 'Demo'
  const permissions = [
    ...demoEntities.flatMap(entity => methods.map((method): Permission => `${entity}:${method}`)),
    ...others,
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
