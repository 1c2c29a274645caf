import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileRow } from '../files/file-tree.ts'
import { listUsage, purgeFiles } from '../files/read-files.ts'
import { type CheckedFile, type FileStorage, publicPath, storeFile } from '../files/store-file.ts'
import { addTestTenant, testMessages, type TestTenant } from '../test/campaign.ts'

let database: TestDatabase
let tenant: TestTenant
let foreign: TestTenant
const removed: string[] = []
const storage: FileStorage = {
  put: async () => {},
  get: async () => null,
  remove: async key => {
    removed.push(key)
  },
}

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
  foreign = await addTestTenant(database.db)
})
afterAll(() => database.drop())

async function addFile(
  name: string,
  size = 2_000,
  { clientId, actor }: TestTenant = tenant,
): Promise<FileRow> {
  const file: CheckedFile = {
    path: '/dev/null',
    type: 'application/pdf',
    size,
    sha256: Buffer.alloc(32),
    width: null,
    height: null,
    thumbnail: null,
    sent: { name, type: 'application/pdf', size },
  }
  const path = { clientId, folder: '/', name, isFolder: false }
  return (await storeFile(database.db, storage, actor, path, file, 'replace')).row
}

const attach = (...files: { path: string; name: string }[]) =>
  testMessages.create(database.db, tenant.actor, tenant.clientId, {
    name: 'News',
    subject: 'News',
    body_long: '<p>One <a href="{{ link.unsubscribe }}">Unsubscribe</a></p>',
    attachments: files.map(file => ({ ...file, mime_type: 'text/html', size: 1 })),
  })

const find = (id: number) => testMessages.find(database.db, tenant.actor, tenant.scope, id)
const codes = ({ warnings }: { warnings: readonly { code: string }[] }) => warnings.map(({ code }) => code)

test('type and size follow from the file', async () => {
  const path = publicPath(await addFile('prices.pdf'))
  const { attachments } = await attach({ path, name: 'Preise März.pdf' })
  expect(attachments).toEqual([{ path, name: 'Preise März.pdf', mime_type: 'application/pdf', size: 2_000 }])
})

test('a file of another client, an unknown file and a wrong extension are rejected', async () => {
  const other = publicPath(await addFile('theirs.pdf', 10, foreign))
  const own = publicPath(await addFile('own.pdf'))
  for (const [path, name, code] of [
    [other, 'a.pdf', 'field.not_there'],
    [`/files/${tenant.clientId}/unknown.pdf`, 'a.pdf', 'field.not_there'],
    [own.replace('.pdf', '.png'), 'a.png', 'field.not_there'],
    [own, 'a.exe', 'field.attachment_extension'],
  ] as const)
    await expect(attach({ path, name })).rejects.toMatchObject({ fields: [{ field: 'attachments', code }] })
})

test('more than 5 MB are rejected, and a mail of more than 1 MB gets a warning', async () => {
  const [first, second] = [await addFile('a.pdf', 3_000_000), await addFile('b.pdf', 3_000_000)].map(
    publicPath,
  )
  const both = [
    { path: first ?? '', name: 'a.pdf' },
    { path: second ?? '', name: 'b.pdf' },
  ]
  await expect(attach(...both)).rejects.toMatchObject({ fields: [{ code: 'field.attachments_size' }] })
  expect(codes(await attach(...both.slice(0, 1)))).toContain('mail-too-large')
  expect(codes(await attach({ path: publicPath(await addFile('c.pdf')), name: 'c.pdf' }))).not.toContain(
    'mail-too-large',
  )
})

test('a replaced file is attached in its new form, which the check measures', async () => {
  const path = publicPath(await addFile('report.pdf'))
  const { message_id: id, revision } = await attach({ path, name: 'Report.pdf' })
  const replaced = await addFile('report.pdf', 6_000_000)
  const now = await find(id)
  const size = 6_000_000
  expect(now.attachments).toEqual([
    { path: publicPath(replaced), name: 'Report.pdf', mime_type: 'application/pdf', size },
  ])
  expect(now.revision).toBe(revision + 1)
  expect(now.warnings).toMatchObject([
    { code: 'no-imprint' },
    { code: 'attachments-too-large', severity: 'error' },
  ])
})

test('a deleted file is kept while it is attached', async () => {
  const file = await addFile('kept.pdf')
  const { message_id: id } = await attach({ path: publicPath(file), name: 'kept.pdf' })
  expect(await listUsage(database.db, tenant.clientId, file.file_id)).toEqual([
    { message_id: id, name: 'News' },
  ])
  await sql`update file set deleted_at = now() - make_interval(days => ${FILE_LIMITS.binDays + 1})
    where client_id = ${tenant.clientId} and file_id = ${file.file_id}`.execute(database.db)
  await purgeFiles(database.db, storage)
  expect(codes(await find(id))).not.toContain('attachment-gone')
  await sql`delete from file where client_id = ${tenant.clientId} and file_id = ${file.file_id}`.execute(
    database.db,
  )
  expect((await find(id)).warnings).toContainEqual(
    expect.objectContaining({ code: 'attachment-gone', severity: 'error', values: { name: 'kept.pdf' } }),
  )
  await testMessages.patch(
    database.db,
    tenant.actor,
    tenant.scope,
    id,
    { attachments: [] },
    { revision: null },
  )
  expect(codes(await find(id))).not.toContain('attachment-gone')
})
