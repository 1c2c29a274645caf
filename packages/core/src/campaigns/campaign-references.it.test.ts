import { campaignState } from '@emma/contract/campaign-states.ts'
import { categoryValue } from '@emma/contract/resources/category.ts'
import { memberColumn } from '@emma/contract/resources/membertable.ts'
import type { recurring } from '@emma/contract/resources/recurring.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { split, splitVariant } from '@emma/contract/split.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blacklistOperations } from '../audience/blacklists/blacklist-operations.ts'
import { membertableOperations } from '../audience/operations.ts'
import { listOperations } from '../audience/segments/list-operations.ts'
import { domainOperations } from '../deliverability/domain-operations.ts'
import { mailclassOperations } from '../deliverability/mailclass-operations.ts'
import { espLoginOperations } from '../esps/esp-operations.ts'
import { recurringOperations } from '../recurring/recurring-operations.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Removal, WriteOptions } from '../resource/operations.ts'
import type { Db } from '@emma/db/connection.ts'
import { addTestCampaign, addTestTenant, testKey, testMessages, type TestTenant } from '../test/campaign.ts'
import { cappingOperations } from './capping-operations.ts'
import { categoryOperations } from './category-operations.ts'

/** What campaigns, recurring campaigns and variants of A/B tests use cannot be deleted. */

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  tenant = await addTestTenant(database.db)
})

interface Removable {
  remove(db: Db, actor: Actor, scope: TenantScope, id: number, options: WriteOptions): Promise<void>
  removal(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<Removal>
}

const any = { revision: null }

function addRecurring(fields: Patch<typeof recurring> = {}, owner = tenant) {
  return recurringOperations.create(owner.db, owner.actor, owner.clientId, {
    name: 'Weekly news',
    list_id: owner.listId,
    message_id: owner.messageId,
    domain_id: owner.domainId,
    mailclass_id: owner.mailclassId,
    fromadr: 'news@sender.test',
    schedule: { rrule: 'FREQ=DAILY', tz: 'Europe/Berlin', start: '2026-01-01', end: null, time: '09:00' },
    ...fields,
  })
}

const addSegment = async (name: string) => {
  const { db, actor, clientId, memberTableId } = tenant
  const made = await listOperations.create(db, actor, clientId, { name, member_table_id: memberTableId })
  return made.list_id
}

const addTemplate = async (name: string) => {
  const { db, actor, clientId } = tenant
  const input = { name, subject: name, body_long: `<p>${name} {{ link.unsubscribe }}</p>` }
  const made = await testMessages.create(db, actor, clientId, input)
  return made.message_id
}

/** Deletion is refused as long as the record is used by `name`, and nothing else keeps it. */
async function expectGuarded(
  operations: Removable,
  id: number,
  user: { type: string; id: number; name: string },
) {
  const { db, actor, scope } = tenant
  expect(await operations.removal(db, actor, scope, id)).toEqual({ deletable: false, references: [user] })
  const type = user.type === 'recurring' ? 'recurring campaign' : user.type
  await expect(operations.remove(db, actor, scope, id, any)).rejects.toMatchObject({
    code: 'in_use',
    message: `Still in use by ${type} "${user.name}"`,
  })
}

async function expectDeletable(operations: Removable, id: number): Promise<void> {
  const { db, actor, scope } = tenant
  expect(await operations.removal(db, actor, scope, id)).toEqual({ deletable: true, references: [] })
  await operations.remove(db, actor, scope, id, any)
}

const domains = domainOperations(testKey, () => ({
  spf: 'include:mail.emma.test',
  mailHost: 'mail.emma.test',
  tracking: { type: 'CNAME', value: 'link.emma.test' },
}))
const mailclasses = mailclassOperations(testKey)
const logins = espLoginOperations(testKey, async () => null)

interface Guarded {
  what: string
  operations: Removable
  /** Adds a record, and returns the fields that refer to it. */
  add: () => Promise<[id: number, fields: Patch<typeof recurring>]>
}

const guarded: Guarded[] = [
  {
    what: 'the segment of its audience',
    operations: listOperations,
    add: async () => {
      const id = await addSegment('Regulars')
      return [id, { list_id: id }]
    },
  },
  {
    what: 'a segment that it excludes',
    operations: listOperations,
    add: async () => {
      const id = await addSegment('VIP')
      return [id, { exclude_list_ids: [await addSegment('Staff'), id] }]
    },
  },
  {
    what: 'a suppression list',
    operations: blacklistOperations,
    add: async () => {
      const { db, actor, clientId } = tenant
      const made = await blacklistOperations.create(db, actor, clientId, { name: 'Competitors' })
      return [made.blacklist_id, { blacklist_ids: [made.blacklist_id] }]
    },
  },
  {
    what: 'a category with one of its values',
    operations: categoryOperations,
    add: async () => {
      const { db, actor, clientId } = tenant
      const values = ['News', 'Sale'].map(label => categoryValue.parse({ label }))
      const made = await categoryOperations.create(db, actor, clientId, { name: 'Occasion', values })
      return [made.category_id, { category_value_ids: [Number(made.values[1]?.value_id)] }]
    },
  },
  {
    what: 'its template',
    operations: testMessages,
    add: async () => {
      const id = await addTemplate('Weekly')
      return [id, { message_id: id }]
    },
  },
  {
    what: 'its mail class',
    operations: mailclasses,
    add: async () => {
      const { mailclass_id: id } = await tenant.db
        .insertInto('mailclass')
        .values({ client_id: tenant.clientId, name: 'slow' })
        .returning('mailclass_id')
        .executeTakeFirstOrThrow()
      return [id, { mailclass_id: id }]
    },
  },
  {
    what: 'its domain',
    operations: domains,
    add: async () => {
      const { domain_id: id } = await tenant.db
        .insertInto('domain')
        .values({ client_id: tenant.clientId, name: 'weekly.test', status: 'verified' })
        .returning('domain_id')
        .executeTakeFirstOrThrow()
      return [id, { domain_id: id }]
    },
  },
  {
    what: 'its frequency cap',
    operations: cappingOperations,
    add: async () => {
      const { db, actor, clientId } = tenant
      const made = await cappingOperations.create(db, actor, clientId, {
        name: 'Cap',
        max_mails: 2,
        period_hours: 24,
      })
      return [made.capping_id, { capping_id: made.capping_id }]
    },
  },
  {
    what: 'its sending service',
    operations: logins,
    add: async () => {
      const { id } = await tenant.db
        .insertInto('esp_login')
        .values({ client_id: tenant.clientId, esp: 'smtp', name: 'Relay', host: 'relay.test' })
        .returning('id')
        .executeTakeFirstOrThrow()
      return [id, { esp_id: id }]
    },
  },
]

describe('a recurring campaign protects', () => {
  test.each(guarded)(
    '$what, also while it is switched off, until it is deleted',
    async ({ operations, add }) => {
      const { db, actor, scope } = tenant
      const [id, fields] = await add()
      const { recurring_id } = await addRecurring(fields)
      const user = { type: 'recurring', id: recurring_id, name: 'Weekly news' }
      await expectGuarded(operations, id, user)
      await recurringOperations.patch(db, actor, scope, recurring_id, { active: false }, any)
      await expectGuarded(operations, id, user)
      await recurringOperations.remove(db, actor, scope, recurring_id, any)
      await expectDeletable(operations, id)
    },
  )

  test('values of a category, which can only be deactivated', async () => {
    const { db, actor, scope, clientId } = tenant
    const values = ['News', 'Sale'].map(label => categoryValue.parse({ label }))
    const { category_id, values: made } = await categoryOperations.create(db, actor, clientId, {
      name: 'Occasion',
      values,
    })
    const [news, sale] = made
    await addRecurring({ category_value_ids: [Number(news?.value_id)] })
    const keep = (kept: typeof made) =>
      categoryOperations.patch(db, actor, scope, category_id, { values: kept }, any)
    await expect(keep(made.filter(value => value !== news))).rejects.toMatchObject({
      fields: [{ field: 'values', code: 'field.used_by_campaigns', values: { names: '"Weekly news"' } }],
    })
    await keep(made.filter(value => value !== sale))
  })

  test('the column of its date, which can neither be removed nor become another type', async () => {
    const { db, actor, scope, memberTableId } = tenant
    const columns = ['birthday', 'since', 'note'].map(column_name =>
      memberColumn.parse({
        column_name,
        label: column_name,
        data_type: column_name === 'note' ? 'string' : 'date',
      }),
    )
    const write = (schema: typeof columns) =>
      membertableOperations.patch(db, actor, scope, memberTableId, { emmamembertableschema: schema }, any)
    await write(columns)
    const { recurring_id } = await addRecurring({ trigger: 'date_field', date_column: 'birthday' })
    const refused = {
      code: 'in_use',
      message: 'The column "birthday" is used by the recurring campaigns "Weekly news"',
    }
    const withBirthday = (data_type: 'datetime' | 'string') =>
      columns.map(column => (column.column_name === 'birthday' ? { ...column, data_type } : column))
    await expect(write(columns.filter(column => column.column_name !== 'birthday'))).rejects.toMatchObject(
      refused,
    )
    await expect(write(withBirthday('string'))).rejects.toMatchObject(refused)
    await write(withBirthday('datetime'))
    await write(columns.filter(column => column.column_name === 'birthday'))
    await recurringOperations.patch(db, actor, scope, recurring_id, { trigger: 'calendar' }, any)
    await write([])
  })

  test('the datasource of its segments', async () => {
    const { db, actor, scope, clientId, listId } = tenant
    await addRecurring({ exclude_list_ids: [await addSegment('VIP')] })
    const other = await membertableOperations.create(db, actor, clientId, { name: 'Newsletter' })
    const { rows } = await sql<{ list_id: number }>`
      select list_id from list where client_id = ${clientId} order by list_id`.execute(db)
    expect(rows.map(row => row.list_id)).toContain(listId)
    for (const { list_id } of rows)
      await expect(
        listOperations.patch(db, actor, scope, list_id, { member_table_id: other.member_table_id }, any),
      ).rejects.toMatchObject({
        fields: [
          { field: 'member_table_id', code: 'field.fixed_by_campaigns', values: { names: '"Weekly news"' } },
        ],
      })
  })

  test('nothing of another client', async () => {
    const other = await addTestTenant(database.db)
    await addRecurring({}, other)
    const id = await addSegment('Free')
    await sql`update recurring set exclude_list_ids = array[${id}::bigint] where client_id = ${other.clientId}`.execute(
      database.db,
    )
    await expectDeletable(listOperations, id)
  })
})

describe('an A/B test protects', () => {
  test('the templates of its variants', async () => {
    const { db, actor, scope } = tenant
    const id = await addTemplate('Short')
    const variants = [splitVariant.parse({ subject: 'Other' }), splitVariant.parse({ message_id: id })]
    const campaign = await addTestCampaign(tenant, campaignState.draft, { split: split.parse({ variants }) })
    await expectGuarded(testMessages, id, { type: 'campaign', id: campaign.campagne_id, name: 'November' })
    await db.updateTable('campaign').set({ split: null }).where('client_id', '=', tenant.clientId).execute()
    expect(await testMessages.removal(db, actor, scope, id)).toMatchObject({ deletable: true })
    await expectDeletable(testMessages, id)
  })

  test('its goal segment', async () => {
    const id = await addSegment('Buyers')
    const campaign = await addTestCampaign(tenant, campaignState.draft, {
      split: split.parse({ holdout_percent: 10, goal_list_id: id }),
    })
    await expectGuarded(listOperations, id, { type: 'campaign', id: campaign.campagne_id, name: 'November' })
  })
})

describe('a recurring campaign with an A/B test keeps', () => {
  test('the templates of its variants', async () => {
    const id = await addTemplate('Variant')
    const variants = [splitVariant.parse({ message_id: id })]
    const made = await addRecurring({ split: split.parse({ variants }) })
    await expectGuarded(testMessages, id, { type: 'recurring', id: made.recurring_id, name: 'Weekly news' })
    const { db, actor, scope } = tenant
    await recurringOperations.patch(db, actor, scope, made.recurring_id, { split: null }, any)
    await expectDeletable(testMessages, id)
  })

  test('its goal segment', async () => {
    const id = await addSegment('Buyers')
    const made = await addRecurring({ split: split.parse({ holdout_percent: 10, goal_list_id: id }) })
    await expectGuarded(listOperations, id, { type: 'recurring', id: made.recurring_id, name: 'Weekly news' })
  })
})

test('a record that a campaign uses twice is named once', async () => {
  const id = await addSegment('Both')
  const campaign = await addTestCampaign(tenant, campaignState.draft, {
    list_id: id,
    split: split.parse({ holdout_percent: 10, goal_list_id: id }),
  })
  await expectGuarded(listOperations, id, { type: 'campaign', id: campaign.campagne_id, name: 'November' })
})
