import { createMultiBlacklist as contract } from '@emma/contract/actions/multi-blacklist.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../resource/actor.ts'
import { createTestAudience, type TestAudience } from '../../test/audience.ts'
import { addEntries, listEntries } from './blacklist-entries.ts'
import { blacklistOperations } from './blacklist-operations.ts'
import { createMultiBlacklist, listMultiBlacklists, removeMultiBlacklist } from './multi-blacklist.ts'

let tenant: TestAudience
/** May access both clients. */
let agency: Actor
beforeAll(async () => {
  tenant = await createTestAudience()
  agency = { ...tenant.actor, clientIds: [tenant.clientId, tenant.foreign.clientId] }
})
afterAll(() => tenant.database.drop())

const page = { limit: 10, offset: 0, search: null }

async function createList(clientId: number, match: 'email' | 'domain' | 'sha256' = 'email') {
  const input = { name: `List ${match}`, kind: 'client', match } as const
  const { blacklist_id } = await blacklistOperations.create(tenant.database.db, agency, clientId, input)
  return { client_id: clientId, blacklist_id }
}

async function valuesOf({ blacklist_id }: { blacklist_id: number }): Promise<string[]> {
  const { data } = await listEntries(tenant.database.db, agency, blacklist_id, page)
  return data.map(({ value }) => value).toSorted()
}

async function countOf({ blacklist_id }: { blacklist_id: number }): Promise<number> {
  return (await blacklistOperations.find(tenant.database.db, agency, agency, blacklist_id)).count
}

test('R210 values are added to lists of several clients, and taken back without what was there before', async () => {
  const { database, clientId, foreign } = tenant
  const [own, other] = [await createList(clientId), await createList(foreign.clientId, 'sha256')]
  await addEntries(database.db, agency, agency, own.blacklist_id, { values: ['old@x.test'] })
  const body = contract.body.parse({
    targets: [other, own, own],
    values: ['OLD@x.test', 'new@x.test', 'new@x.test'],
    reason: 'legal',
    expires_at: '2099-01-01T00:00:00.000Z',
  })
  const created = await createMultiBlacklist(database.db, agency, body)
  expect(created).toMatchObject({ status: 'applied', count: 2, reason: 'legal' })
  expect(created.targets).toMatchObject([
    { ...own, client: 'Own', name: 'List email', added: 1, existing: 1 },
    { ...other, client: 'Other', name: 'List sha256', added: 2, existing: 0 },
  ])
  expect(await valuesOf(own)).toEqual(['new@x.test', 'old@x.test'])
  expect(await valuesOf(other)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(String)])
  const { data } = await listEntries(database.db, agency, own.blacklist_id, { ...page, search: 'new@' })
  expect(data).toMatchObject([{ reason: 'legal', source: 'multi' }])

  expect(await removeMultiBlacklist(database.db, agency, created.multi_id)).toEqual({ removed: 3 })
  expect([await valuesOf(own), await valuesOf(other)]).toEqual([['old@x.test'], []])
  expect([await countOf(own), await countOf(other)]).toEqual([1, 0])
  const found = (search: string) => listMultiBlacklists(database.db, agency, { ...page, search })
  expect((await found('LEGAL')).data).toMatchObject([{ status: 'removed' }])
  expect(await found('other')).toMatchObject({ data: [], total: 0 })
  await expect(removeMultiBlacklist(database.db, agency, created.multi_id)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('R210 nothing is added if a value does not fit a list, or a list is missing', async () => {
  const { database, clientId } = tenant
  const [addresses, domains] = [await createList(clientId), await createList(clientId, 'domain')]
  const call = (targets: object[], values: string[]) =>
    createMultiBlacklist(database.db, agency, contract.body.parse({ targets, values }))
  await expect(call([addresses, domains], ['ann@x.test'])).rejects.toMatchObject({
    fields: [{ field: 'values.0' }],
  })
  await expect(
    call([addresses, { client_id: clientId, blacklist_id: 99_999 }], ['ann@x.test']),
  ).rejects.toMatchObject({ fields: [{ field: 'targets.1' }] })
  expect(await valuesOf(addresses)).toEqual([])
})

test('R210 lists of other clients cannot be written, nor seen in a multi-blacklist', async () => {
  const { database, clientId, foreign, actor } = tenant
  const [own, other] = [await createList(clientId), await createList(foreign.clientId)]
  const both = contract.body.parse({ targets: [own, other], values: ['ann@x.test'] })
  for (const target of [other, { ...other, client_id: clientId }])
    await expect(
      createMultiBlacklist(database.db, actor, { ...both, targets: [own, target] }),
    ).rejects.toMatchObject({ fields: [{ field: 'targets.1' }] })
  const { multi_id } = await createMultiBlacklist(database.db, agency, both)
  const ids = async (as: Actor) =>
    (await listMultiBlacklists(database.db, as, page)).data.map(record => record.multi_id)
  expect(await ids(agency)).toContain(multi_id)
  expect(await ids(actor)).not.toContain(multi_id)
  await expect(removeMultiBlacklist(database.db, actor, multi_id)).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await valuesOf(own)).toEqual(['ann@x.test'])
})
