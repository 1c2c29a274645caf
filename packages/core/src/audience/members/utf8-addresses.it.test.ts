import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { member } from '@emma/contract/resources/member.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addEntries } from '../blacklists/blacklist-entries.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { listMembers, previewRules } from './list-members.ts'
import { suppressedBy } from '../blacklists/suppression.ts'
import { testaddressOperations } from '../test-subscribers/test-address-operations.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { runUpload } from '../uploads/run-upload.ts'
import { datauploadOperations, takeUpload } from '../uploads/upload-operations.ts'
import { createMember } from './write-member.ts'

/** Addresses with non-ASCII local parts (RFC 6531) are stored in one form, wherever they come from. */

let audience: TestAudience
let source: Datasource
let folder: string
beforeAll(async () => {
  audience = await createTestAudience()
  source = await readDatasource(audience.database.db, audience.scope, await createTestDatasource(audience))
  folder = mkdtempSync(join(tmpdir(), 'emma-uploads-'))
})
afterAll(async () => {
  await audience.database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const DECOMPOSED = 'jo\u0308rg@mu\u0308ller.example'
const STORED = 'jörg@xn--mller-kva.example'

test('R273 a UTF-8 address is unique and found in any spelling', async () => {
  const { db } = audience.database
  const add = (email: string) => createMember(db, audience.actor, source, { email })
  const made = await add(' JÖRG@Müller.example ')
  expect(made).toMatchObject({ email: STORED, email_hash: createHash('sha256').update(STORED).digest('hex') })
  await expect(add(DECOMPOSED)).rejects.toMatchObject({ code: '23505' })
  await expect(add('jö rg@example.com')).rejects.toMatchObject({ code: 'invalid' })
  const found = await listMembers(db, source, parseListQuery(member, { email: DECOMPOSED }))
  expect(found.data).toMatchObject([{ email: STORED }])
  const rules = {
    member_table_id: source.member_table_id,
    include_unsubscribed: true,
    query: {
      combinator: 'and' as const,
      rules: [{ field: 'email', operator: '=' as const, value: 'JÖRG@müller.example' }],
    },
  }
  const page = await previewRules(db, audience.scope, rules, parseListQuery(member, {}))
  expect(page.data).toMatchObject([{ email: STORED }])
})

test('R273 R281 an upload accepts UTF-8 addresses; another spelling is a duplicate', async () => {
  const { db, pool } = audience.database
  const content = `email\nνίκος@firm.example\nΝΊΚΟΣ@firm.example\n${DECOMPOSED}\nj\u200brg@firm.example\nann@firm.example\n`
  const data = { member_table_id: source.member_table_id }
  const file = Readable.from([Buffer.from(content)])
  const taken = await takeUpload(db, audience.actor, folder, data, 'people.csv', file)
  const id = Number(taken.id)
  await db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  await runUpload({ db, pool, folder }, audience.clientId, id)
  const done = await datauploadOperations(folder).find(db, audience.actor, audience.scope, id)
  expect(done).toMatchObject({ rows_inserted: 2, rows_unchanged: 1, rows_duplicate: 1, rows_invalid: 1 })
  const { rows } = await sql<{ email: string }>`
    select email from ${membersTable(source.member_table_id)} order by email collate "C"`.execute(db)
  expect(rows.map(row => row.email)).toEqual(['ann@firm.example', STORED, 'νίκος@firm.example'])
})

test.each(['email', 'md5', 'sha256'] as const)(
  'R273 a suppression list by %s matches UTF-8 addresses in any spelling',
  async match => {
    const { db } = audience.database
    const { blacklist_id } = await db
      .insertInto('blacklist')
      .values({ client_id: audience.clientId, name: match, kind: 'campaign', match })
      .returning('blacklist_id')
      .executeTakeFirstOrThrow()
    const values = [DECOMPOSED, 'JÖRG@müller.example']
    expect(await addEntries(db, audience.actor, audience.scope, blacklist_id, { values })).toMatchObject({
      added: 1,
    })
    const reason = await suppressedBy(db, audience.clientId, [blacklist_id], sql.ref('m.email'))
    const { rows } = await sql`
    select m.email, ${reason} as reason from ${membersTable(source.member_table_id)} as m
    where m.client_id = ${audience.clientId} and ${reason} is not null`.execute(db)
    expect(rows).toEqual([{ email: STORED, reason: 'blacklist_campaign' }])
  },
)

test('a test subscriber may have a UTF-8 address', async () => {
  const { db } = audience.database
  const made = await testaddressOperations.create(db, audience.actor, audience.clientId, {
    email: 'Jo\u0308rg@firm.example',
    addr_type: 'testaddr',
  })
  expect(made).toMatchObject({ email: 'jörg@firm.example' })
})
