import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membersTable, readDatasource } from '../audience/datasources/datasource.ts'
import { type EmailRecipient, findByAddress } from '../audience/members/email-recipient.ts'
import { eraseMember } from '../audience/members/erase-member.ts'
import { memberActivity } from '../audience/members/member-activity.ts'
import { exportPerson } from '../audience/preferences/export-person.ts'
import { addTestTenant, type TestTenant } from '../test/campaign.ts'
import { forgetMailData } from './mail-log.ts'

let database: TestDatabase
let tenant: TestTenant
let transactionalId: number
let campaignId: number

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
  const {
    clientId: client_id,
    domainId: domain_id,
    mailclassId: mailclass_id,
    messageId: message_id,
  } = tenant
  const made = await database.db
    .insertInto('transactional')
    .values({
      client_id,
      name: 'Order',
      domain_id,
      mailclass_id,
      message_id,
      fromadr: 'a@sender.test',
      keep_days: 10,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  transactionalId = made.id
  const campaign = await database.db
    .insertInto('campaign')
    .values({ client_id, name: 'Order', ctype: 3, valid: 3 })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  campaignId = campaign.campagne_id
})
afterAll(() => database.drop())

/** A sent email with a file, so many days old. */
async function addMail(email: string, days: number, data: object = { number: 'A' }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into transactional_mail (client_id, transactional_id, campagne_id, email, name, data, attachments, due_at, created_at)
    values (${tenant.clientId}, ${transactionalId}, ${campaignId}, ${email}, 'Ann', ${JSON.stringify(data)}::jsonb, 1,
      now() - make_interval(days => ${days}), now() - make_interval(days => ${days}))
    returning mail_id as id`.execute(database.db)
  const id = rows[0]?.id ?? 0
  await sql`
    insert into transactional_attachment (client_id, mail_id, place, filename, content_type, content)
    values (${tenant.clientId}, ${id}, 0, 'a.pdf', 'application/pdf', 'x')`.execute(database.db)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
    values (${tenant.clientId}, ${campaignId}, ${id}, ${email}, 'sent', now())`.execute(database.db)
  return id
}

async function mail(id: number) {
  const { rows } = await sql<{ email: string; name: string | null; data: unknown; files: number }>`
    select m.email, m.name, m.data, (
      select count(*) from transactional_attachment a where a.client_id = m.client_id and a.mail_id = m.mail_id) as files
    from transactional_mail m where m.client_id = ${tenant.clientId} and m.mail_id = ${id}`.execute(
    database.db,
  )
  return rows[0]
}

test('data and files are deleted after the retention period of their transactional email; the email stays', async () => {
  const old = await addMail('old@example.test', 11)
  const recent = await addMail('recent@example.test', 9)
  await forgetMailData(database.db)
  expect(await mail(old)).toEqual({ email: 'old@example.test', name: null, data: null, files: 0 })
  expect(await mail(recent)).toMatchObject({ name: 'Ann', data: { number: 'A' }, files: 1 })
})

test('the emails to a member’s address are in the activity and the copy of the data, and go with the person', async () => {
  const { db } = database
  const own = await addMail('Ann1@example.test', 1)
  const named = await addMail('clerk@example.test', 1, { customer: 'ann1@example.test' })
  const source = await readDatasource(db, tenant.scope, tenant.memberTableId)
  const { rows } = await sql<{ member_id: number }>`
    select member_id from ${membersTable(tenant.memberTableId)} where email = 'ann1@example.test'`.execute(db)
  const memberId = rows[0]?.member_id ?? 0
  const { data } = await memberActivity(db, source, memberId, { limit: 20, offset: 0 })
  expect(data).toContainEqual(expect.objectContaining({ type: 'sent', campaign_name: 'Order' }))
  const person: EmailRecipient = {
    table: source,
    campaignId: null,
    memberId,
    email: 'ann1@example.test',
    isSubscribed: true,
    state: 'member',
  }
  expect(await findByAddress(db, person)).toHaveLength(1)
  const copy = await exportPerson(db, person)
  expect(copy.transactional_emails).toEqual([
    expect.objectContaining({ name: 'Order', data: { number: 'A' } }),
  ])
  await eraseMember(db, tenant.actor, source, memberId)
  expect(await mail(own)).toMatchObject({ name: null, data: null, files: 0 })
  expect((await mail(own))?.email).not.toContain('ann1')
  expect(await mail(named)).toMatchObject({ email: 'clerk@example.test', data: null, files: 0 })
  const ledger = await sql`
    select from delivery where lower(email) = 'ann1@example.test'`.execute(db)
  expect(ledger.rows).toEqual([])
})
