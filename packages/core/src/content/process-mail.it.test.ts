import { EmmaError } from '@emma/contract/errors.ts'
import { shippedProcessMail } from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Create } from '@emma/contract/resource-schemas.ts'
import { languages } from '@emma/contract/resources/client.ts'
import { isPage, pmt, processes } from '@emma/contract/resources/pmt.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { previewContent } from '@emma/mail/template/preview-content.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addTestTenant, type TestTenant } from '../test/campaign.ts'
import { compileHere } from './compile-message.ts'
import { pmtOperations } from './pmt-operations.ts'
import { findOwnProcessMail, findProcessMail } from './process-mail.ts'
import { renderProcessMail } from './render-process-mail.ts'

const trackingBase = 'https://t.example.test'
const operations = pmtOperations({ compile: compileHere, trackingBase })

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  tenant = await addTestTenant(database.db)
})

const create = (input: Partial<Create<typeof pmt>> = {}) =>
  operations.create(tenant.db, tenant.actor, tenant.clientId, {
    name: 'Thanks',
    process: 'page_thanks',
    lang: 'en',
    body_long: '<p>Thank you</p>',
    ...input,
  })
const patch = (id: number, input: object) =>
  operations.patch(tenant.db, tenant.actor, tenant.scope, id, input, { revision: null })
const find = (id: number) => operations.find(tenant.db, tenant.actor, tenant.scope, id)
const faultsOf = async (saving: Promise<unknown>) => {
  const error: unknown = await saving.catch((reason: unknown) => reason)
  return error instanceof EmmaError ? error.fields.map(({ field, code }) => `${field} ${code}`) : error
}

test.each(processes.flatMap(process => languages.map(lang => [process, lang] as const)))(
  'R190 the shipped %s in %s has no fault and no warning',
  async (process, lang) => {
    await tenant.db
      .updateTable('client')
      .set({ imprint: 'Northwind Coffee\nHarbour Street 4' })
      .where('client_id', '=', tenant.clientId)
      .execute()
    const mail = shippedProcessMail(process, lang)
    const { subject, html, text, warnings } = await renderProcessMail(
      tenant.db,
      tenant.clientId,
      mail,
      trackingBase,
      (_clientId, source, data) => previewContent(source, data),
    )
    expect(warnings).toEqual([])
    expect(html).toContain(`<html lang="${lang}">`)
    expect(html).not.toMatch(/\{\{|\{%|<table/)
    expect(html.includes('Northwind Coffee<br />')).toBe(!isPage(process))
    if (!isPage(process)) expect({ subject, text }).not.toMatchObject({ subject: '', text: '' })
    expect(await create({ ...mail, is_default: true })).toMatchObject({ process, lang, is_default: true })
  },
)

test('R190 a new default takes the place of the one before, in its language only', async () => {
  const first = await create({ is_default: true })
  const german = await create({ is_default: true, lang: 'de' })
  const second = await create({ is_default: true })
  expect(await find(first.pmt_id)).toMatchObject({ is_default: false, revision: first.revision + 1 })
  expect(await find(german.pmt_id)).toMatchObject({ is_default: true })
  await patch(first.pmt_id, { is_default: true })
  expect(await find(second.pmt_id)).toMatchObject({ is_default: false })
  await patch(german.pmt_id, { lang: 'en' })
  expect(await find(first.pmt_id)).toMatchObject({ is_default: false })
  const changes = await tenant.db
    .selectFrom('change_log')
    .select('changes')
    .where('object', '=', 'pmt')
    .where('object_id', '=', second.pmt_id)
    .where('action', '=', 'update')
    .execute()
  expect(changes).toEqual([{ changes: { is_default: [true, false] } }])
})

test('R190 of texts made the default at the same moment, one remains', async () => {
  const records = await Promise.all(Array.from({ length: 6 }, () => create({ is_default: true })))
  await Promise.all(records.map(({ pmt_id }) => patch(pmt_id, { is_default: true })))
  const after = await Promise.all(records.map(({ pmt_id }) => find(pmt_id)))
  expect(after.filter(({ is_default }) => is_default)).toHaveLength(1)
})

test('R190 a restored default yields to the one that took its place', async () => {
  const first = await create({ is_default: true })
  await operations.remove(tenant.db, tenant.actor, tenant.scope, first.pmt_id, { revision: null })
  const second = await create({ is_default: true })
  await operations.restore(tenant.db, tenant.actor, tenant.scope, first.pmt_id)
  expect(await find(first.pmt_id)).toMatchObject({ is_default: false })
  expect(await find(second.pmt_id)).toMatchObject({ is_default: true })
})

test('R190 content must have the links of its process, and no others', async () => {
  const mail = { subject: 'Hello', body_text: 'Text' }
  const doi = '<a href="{{ link.doi }}">Yes</a>'
  expect(await faultsOf(create({ ...mail, process: 'doi_request' }))).toEqual([
    'body_long field.link_missing',
    'body_text field.link_missing',
  ])
  expect(
    await faultsOf(
      create({ subject: ' ', process: 'doi_request', body_long: `${doi}{{ link.unsubscribe }}` }),
    ),
  ).toEqual(['subject field.required', 'body_long field.link_unfit'])
  expect(await faultsOf(create({ body_long: doi }))).toEqual(['body_long field.link_unfit'])
  const news = { client_id: tenant.clientId, name: 'News', token: 'news', type: 'feed', body: '{}' }
  await tenant.db.insertInto('placeholder').values(news).execute()
  expect(await faultsOf(create({ body_long: '<p>{{ module.news }}</p>' }))).toEqual([
    'body_long field.feed_in_process',
  ])
  expect(await faultsOf(create({ body_long: '<p>{{ member.email </p>' }))).toEqual(['body_long field.place'])
  const saved = await create({ subject: 'Hello', process: 'doi_request', body_long: doi })
  expect(await faultsOf(patch(saved.pmt_id, { process: 'welcome' }))).toEqual([
    'body_long field.link_missing',
    'body_long field.link_unfit',
  ])
})

test('R190 a link in a placeholder module counts', async () => {
  await tenant.db
    .insertInto('placeholder')
    .values({
      client_id: tenant.clientId,
      name: 'Footer',
      token: 'footer',
      type: 'html',
      body: JSON.stringify({ en: '<a href="{{ link.unsubscribe }}">Unsubscribe</a>' }),
    })
    .execute()
  const saved = await create({ process: 'welcome', subject: 'Hello', body_long: '{{ module.footer }}' })
  expect(saved).toMatchObject({ process: 'welcome' })
})

test('R190 the text of a process: own in the language, own in the client’s language, shipped', async () => {
  const { db, clientId } = tenant
  const own = async (lang: 'en' | 'de' | 'es') =>
    (await findProcessMail(db, clientId, 'page_thanks', lang)).pmt_id
  await db.updateTable('client').set({ language: 'de' }).where('client_id', '=', clientId).execute()
  expect(await findProcessMail(db, clientId, 'page_thanks', 'es')).toMatchObject({
    ...shippedWithoutName('page_thanks', 'es'),
    pmt_id: null,
  })
  const german = await create({ lang: 'de', is_default: true })
  const spanish = await create({ lang: 'es', is_default: true })
  await create({ lang: 'en' })
  expect([await own('en'), await own('de'), await own('es')]).toEqual([
    german.pmt_id,
    german.pmt_id,
    spanish.pmt_id,
  ])
  await patch(german.pmt_id, { active: false })
  expect([await own('en'), await own('de')]).toEqual([null, null])
  await operations.remove(db, tenant.actor, tenant.scope, spanish.pmt_id, { revision: null })
  expect(await findOwnProcessMail(db, clientId, 'page_thanks', 'es')).toBeNull()
  const other = await addTestTenant(db)
  await patch(german.pmt_id, { active: true })
  expect(await findOwnProcessMail(db, other.clientId, 'page_thanks', 'de')).toBeNull()
})

function shippedWithoutName(...of: Parameters<typeof shippedProcessMail>) {
  const { name: _name, ...content } = shippedProcessMail(...of)
  return content
}
