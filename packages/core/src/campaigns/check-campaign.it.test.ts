import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Campaign } from './campaign-operations.ts'
import { membertableOperations } from '../audience/operations.ts'
import { checkCampaign } from './check-campaign.ts'
import { moveCampaign } from './move-campaign.ts'
import {
  addTestCampaign,
  addTestTenant,
  testContext,
  type TestTenant,
  testMessages,
} from '../test/campaign.ts'
import { fault } from '@emma/contract/faults.ts'

let database: TestDatabase
let tenant: TestTenant
let campaign: Campaign
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  tenant = await addTestTenant(database.db)
  campaign = await addTestCampaign(tenant)
})

const check = (of = campaign) => checkCampaign(tenant.db, of, testContext)
const start = (of = campaign) =>
  moveCampaign(tenant.db, tenant.actor, tenant.scope, Number(of.campagne_id), 'start', {}, testContext)

/** Errors of the check, and the result of starting nevertheless: the two must agree. */
async function attempt(of = campaign) {
  const { errors } = await check(of)
  const refusal: unknown = await start(of).catch((error: unknown) => error)
  const after = await tenant.db
    .selectFrom('campaign')
    .select(['valid', 'started_at', 'revision'])
    .where('campagne_id', '=', Number(of.campagne_id))
    .executeTakeFirstOrThrow()
  return { errors, refused: refusal instanceof EmmaError ? refusal.fields : refusal, after }
}

function blockedBy(
  code: string,
  field: string,
  words: RegExp,
  told: { reason: string; values?: Record<string, unknown> },
) {
  const message = expect.stringMatching(words)
  const { reason, ...values } = told
  return {
    errors: [{ code, field, message, ...told }],
    refused: [{ field, message, code: reason, ...values }],
    after: { valid: 0, started_at: null, revision: campaign.revision },
  }
}

test('a complete campaign has no errors and a recipient count', async () => {
  expect(await check()).toMatchObject({ errors: [], recipients: 3 })
  expect(await start()).toMatchObject({ valid: 4 })
})

test('the check reports all missing fields at once', async () => {
  const empty = await addTestCampaign(tenant, 0, {
    list_id: null,
    message_id: null,
    domain_id: null,
    mailclass_id: null,
    fromadr: null,
  })
  const { errors } = await check(empty)
  expect(errors.map(({ code, field }) => `${code} ${field}`).toSorted()).toEqual(
    ['domain_id', 'fromadr', 'list_id', 'mailclass_id', 'message_id'].map(field => `required ${field}`),
  )
  await expect(start(empty)).rejects.toBeInstanceOf(EmmaError)
})

test.each(['new', 'pending', 'failed', 'blocked'])('a domain with status %s blocks', async status => {
  await tenant.db.updateTable('domain').set({ status }).where('domain_id', '=', tenant.domainId).execute()
  expect(await attempt()).toEqual(
    blockedBy('domain_unverified', 'domain_id', /sender\.test is not verified/, {
      reason: 'campaign.domain_unverified',
      values: { domain: 'sender.test' },
    }),
  )
})

test('a domain on a blocklist blocks', async () => {
  await tenant.db
    .updateTable('domain')
    .set({ is_blocklisted: true })
    .where('domain_id', '=', tenant.domainId)
    .execute()
  expect(await attempt()).toEqual(
    blockedBy('domain_blocklisted', 'domain_id', /blocklist/, {
      reason: 'campaign.domain_blocklisted',
      values: { domain: 'sender.test' },
    }),
  )
})

test.each(['news@other.test', 'news@evilsender.test', 'news@sender.test.evil.test'])(
  'a sender address of another domain blocks: %s',
  async fromadr => {
    const of = await addTestCampaign(tenant, 0, { fromadr })
    expect(await attempt(of)).toEqual(
      blockedBy('from_unaligned', 'fromadr', /must belong to sender\.test/, {
        reason: 'campaign.from_unaligned',
        values: { domain: 'sender.test' },
      }),
    )
  },
)

test.each(['news@mail.sender.test', 'News@SENDER.test'])(
  'a sender address of the domain passes: %s',
  async fromadr => {
    expect(await check(await addTestCampaign(tenant, 0, { fromadr }))).toMatchObject({ errors: [] })
  },
)

test('a mail class that is inactive or has no host blocks', async () => {
  const set = (values: { active?: boolean; transport?: string }) =>
    tenant.db.updateTable('mailclass').set(values).where('mailclass_id', '=', tenant.mailclassId).execute()
  await set({ active: false })
  expect(await attempt()).toEqual(
    blockedBy('mailclass_inactive', 'mailclass_id', /switched off/, {
      reason: 'campaign.mailclass_inactive',
      values: { mailclass: expect.any(String) },
    }),
  )
  await set({ active: true, transport: 'smtp' })
  expect(await attempt()).toEqual(
    blockedBy('mailclass_no_host', 'mailclass_id', /no host/, {
      reason: 'campaign.mailclass_no_host',
      values: { mailclass: expect.any(String) },
    }),
  )
})

test('a segment without eligible members blocks', async () => {
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = now()`.execute(tenant.db)
  expect(await attempt()).toEqual(
    blockedBy('empty_segment', 'list_id', /no members that can be mailed/, {
      reason: 'campaign.empty_segment',
    }),
  )
})

test('a send-once key that leaves nobody is named', async () => {
  const { errors, warnings } = await checkCampaign(
    tenant.db,
    { ...campaign, send_once_key: 'gift' },
    { ...testContext, countRecipients: async () => 0 },
  )
  expect(errors).toMatchObject([{ code: 'empty_segment', field: 'list_id' }])
  expect(warnings).toMatchObject([{ code: 'send_once', field: 'send_once_key', values: { key: 'gift' } }])
})

test.each([
  ['message', 'message_id', 'no_message', 'messageId', { reason: 'campaign.message_gone' }],
  ['domain', 'domain_id', 'no_domain', 'domainId', { reason: 'campaign.domain_gone' }],
  ['mailclass', 'mailclass_id', 'no_mailclass', 'mailclassId', { reason: 'campaign.mailclass_gone' }],
  [
    'list',
    'list_id',
    'segment',
    'listId',
    { reason: 'campaign.segment_uncounted', values: { fault: fault('campaign.segment_gone') } },
  ],
] as const)('a deleted %s blocks', async (table, field, code, key, told) => {
  await sql`update ${sql.table(table)} set deleted_at = now() where ${sql.ref(field)} = ${tenant[key]}`.execute(
    tenant.db,
  )
  expect(await attempt()).toEqual(blockedBy(code, field, /gone|exist|no such segment/, told))
})

test.each([
  ['no unsubscribe link', { body_long: '<p>Hello {{ client.imprint }}</p>' }, 'no-unsubscribe'],
  ['no subject', { subject: '' }, 'no-subject'],
] as const)('a mail with %s blocks', async (_what, fields, code) => {
  await testMessages.patch(tenant.db, tenant.actor, tenant.scope, tenant.messageId, fields, {
    revision: null,
  })
  const { errors } = await check()
  expect(errors).toMatchObject([{ code, field: 'message_id' }])
  await expect(start()).rejects.toMatchObject({ code: 'invalid', fields: [{ field: 'message_id' }] })
})

test('the campaign’s subject replaces a missing one of the message', async () => {
  await testMessages.patch(
    tenant.db,
    tenant.actor,
    tenant.scope,
    tenant.messageId,
    { subject: '' },
    { revision: null },
  )
  expect(await check(await addTestCampaign(tenant, 0, { subject: 'Own words' }))).toMatchObject({
    errors: [],
  })
})

test('a missing mandatory module blocks', async () => {
  await tenant.db
    .insertInto('placeholder')
    .values({
      client_id: tenant.clientId,
      name: 'Legal',
      token: 'legal',
      body: JSON.stringify({ en: 'Law' }),
      is_mandatory: true,
    })
    .execute()
  const { errors } = await check()
  expect(errors).toMatchObject([{ code: 'mandatory-module-missing', field: 'message_id' }])
})

test('a broken module blocks, and the message can still be opened', async () => {
  await tenant.db
    .insertInto('placeholder')
    .values({ client_id: tenant.clientId, name: 'Sale', token: 'sale', body: JSON.stringify({ en: 'Sale' }) })
    .execute()
  await testMessages.patch(
    tenant.db,
    tenant.actor,
    tenant.scope,
    tenant.messageId,
    {
      body_long:
        '<p>{{ module.sale }} {{ client.imprint }} <a href="{{ link.unsubscribe }}">unsubscribe</a></p>',
    },
    { revision: null },
  )
  await tenant.db
    .updateTable('placeholder')
    .set({ body: JSON.stringify({ en: '{% if %}{{ oh' }) })
    .where('client_id', '=', tenant.clientId)
    .execute()
  const { errors } = await check()
  expect(errors).toMatchObject([{ code: 'template', field: 'message_id' }])
  const opened = await testMessages.find(tenant.db, tenant.actor, tenant.scope, tenant.messageId)
  expect(opened.warnings).toMatchObject([{ code: 'template' }])
})

test('a paused campaign resumes although its segment is empty now', async () => {
  const paused = await addTestCampaign(tenant, 5)
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = now()`.execute(tenant.db)
  expect(await start(paused)).toMatchObject({ valid: 2 })
})

test('R282 a campaign can send over a sending service without a mail class, and the check covers it', async () => {
  const { clientId: client_id } = tenant
  const addLogin = (name: string, active: boolean) =>
    tenant.db
      .insertInto('esp_login')
      .values({ client_id, esp: 'brevo', name, active, webhook_secret: Buffer.from('sealed') })
      .returning('id')
      .executeTakeFirstOrThrow()
  const login = await addLogin('main', true)
  const over = (id: number) => addTestCampaign(tenant, 0, { mailclass_id: null, esp_id: id })
  const sending = await over(login.id)
  expect(await check(sending)).toMatchObject({ errors: [], warnings: [] })
  const off = await over((await addLogin('off', false)).id)
  expect((await check(off)).errors).toMatchObject([{ code: 'service_inactive', field: 'esp_id' }])
  await tenant.db
    .insertInto('esp_sendfromid')
    .values({ client_id, esp: 'brevo', login_id: login.id, from_email: 'other@sender.test', verified: true })
    .execute()
  expect((await check(sending)).warnings).toMatchObject([{ code: 'service_sender', field: 'fromadr' }])
  await sql`update esp_login set refused_at = now(), refused_text = '401' where id = ${login.id}`.execute(
    tenant.db,
  )
  expect((await check(sending)).warnings).toMatchObject([{ code: 'service_refused' }])
})

test('R282 the check warns about a sending service that cannot report bounces and complaints', async () => {
  const { clientId: client_id } = tenant
  const { id } = await tenant.db
    .insertInto('esp_login')
    .values({ client_id, esp: 'ses', name: 'eu', active: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const silent = { code: 'service_no_events', field: 'esp_id' }
  const sending = await addTestCampaign(tenant, 0, { mailclass_id: null, esp_id: id })
  expect((await check(sending)).warnings).toMatchObject([silent])
  await sql`update esp_login set webhook_secret = 'sealed' where id = ${id}`.execute(tenant.db)
  expect((await check(sending)).warnings).toMatchObject([silent])
  await sql`update esp_login set configuration_set = 'events' where id = ${id}`.execute(tenant.db)
  expect((await check(sending)).warnings).toEqual([])
})

test('the check counts the members without a value that the mail displays without a default', async () => {
  const { db, actor, scope, messageId, memberTableId, clientId } = tenant
  await membertableOperations.patch(
    db,
    actor,
    scope,
    memberTableId,
    { emmamembertableschema: columns },
    { revision: null },
  )
  const table = sql.id('members', `t${memberTableId}`)
  await sql`update ${table} set firstname = 'Ann' where email like 'ann1@%'`.execute(db)
  await sql`update ${table} set city = 'Bonn'`.execute(db)
  const withBody = (shown: string) =>
    testMessages.patch(
      db,
      actor,
      scope,
      messageId,
      {
        body_long: `<p>${shown} {{ client.imprint }} <a href="{{ link.unsubscribe }}">unsubscribe</a></p>`,
      },
      { revision: null },
    )
  await withBody(
    '{{ member.firstname }} {{ member.city }} {{ member.plan | default: "free" }} {{ member.email }}',
  )
  const column = { path: 'member.firstname', column: 'firstname', members: 2 }
  expect(await check()).toMatchObject({
    errors: [],
    warnings: [{ code: 'missing_values', field: 'message_id', values: column }],
  })
  await sql`
    insert into placeholder (client_id, name, token, type, body)
    values (${clientId}::bigint, 'Plan', 'plan', 'datasource_column', '{"en": "plan"}')`.execute(db)
  await withBody('{% if member.firstname %}{{ member.firstname }}{% endif %} {{ module.plan }}')
  expect((await check()).warnings).toMatchObject([{ values: { column: 'plan', members: 3 } }])
})

const columns = ['firstname', 'city', 'plan'].map(column_name =>
  memberColumn.parse({ column_name, label: column_name, data_type: 'string' }),
)
