import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../../logger.ts'
import type { RunningRole } from '../../role.ts'
import { start } from '../../roles/jobs.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
let jobs: RunningRole
let token: string
let uploader: string
let clientId: number

beforeAll(async () => {
  app = await startTestApp()
  const own = await app.db
    .insertInto('client')
    .values({ name: 'Own' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  clientId = own.client_id
  token = (await app.logIn({ clients: [clientId] })).token
  const permissions = [
    'DataUpload:get',
    'DataUpload:patch',
    'EmmaMember:get',
    'EmmaMember:post',
    'EmmaMember:patch',
  ] as const
  uploader = (await app.logIn({ clients: [clientId], permissions: [...permissions] })).token
  jobs = await start({ ...app, logger: createLogger('jobs', 'silent') })
})
afterAll(async () => {
  await jobs.stop()
  await app.close()
})

const birthday = { index: 1, column: 'geburtstag', new_column: { label: 'Geburtstag', data_type: 'date' } }

async function prepare(name: string, born: object, more: object = {}) {
  const source = await app.call('POST', '/emma/membertable/', {
    token,
    body: { name, emmamembertableschema: [{ column_name: 'age', label: 'Age', data_type: 'int' }] },
  })
  const tableId = Number(source.json.member_table_id)
  const rows = 'email,Geburtstag\na@new.example,31.12.1990\nb@new.example,bald\n'
  const payload = [
    '--xxEMMAxx\r\ncontent-disposition: form-data; name="data"\r\n\r\n',
    JSON.stringify({ member_table_id: tableId }),
    '\r\n--xxEMMAxx\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\n',
    rows,
    '\r\n--xxEMMAxx--\r\n',
  ].join('')
  const headers = { 'content-type': 'multipart/form-data; boundary=xxEMMAxx' }
  const taken = await app.call('POST', '/v2/dataupload/', { token, headers, payload: Buffer.from(payload) })
  const path = `/dataupload/${String(taken.json.id)}`
  const body = { mapping: [{ index: 0, column: 'email' }, born], ...more }
  expect((await app.call('PATCH', path, { token, body })).status).toBe(200)
  return {
    path,
    body,
    members: `/v2/emma/client/${clientId}/membertable/${tableId}/member/`,
    start: (as = token) => app.call('POST', `${path}/start`, { token: as }),
    async columns() {
      const found = await app.call('GET', `/emma/membertable/${tableId}`, { token })
      const columns = memberColumn.array().parse(found.json.emmamembertableschema)
      return columns.filter(column => !column.is_fixed).map(column => [column.column_name, column.data_type])
    },
    finished: () =>
      vi.waitFor(
        async () => {
          const found = await app.call('GET', path, { token })
          expect(found.json.status).toBeGreaterThan(2)
          return found.json
        },
        { timeout: 60_000, interval: 50 },
      ),
  }
}

test('the start adds the new columns of the mapping to the datasource, and the import fills them', async () => {
  const upload = await prepare('Fresh', birthday)
  expect(await upload.columns()).toEqual([['age', 'int']])
  expect(await upload.start()).toMatchObject({
    status: 200,
    json: {
      mapping: [
        { index: 0, column: 'email' },
        { index: 1, column: 'geburtstag' },
      ],
    },
  })
  expect(await upload.columns()).toEqual([
    ['age', 'int'],
    ['geburtstag', 'date'],
  ])
  expect(await upload.finished()).toMatchObject({ status: 3, rows_inserted: 1, rows_invalid: 1 })
  const members = await app.call('GET', upload.members, { token })
  expect(members.json.data).toMatchObject([{ email: 'a@new.example', geburtstag: '1990-12-31' }])
})

test.for([
  ['a test', { test: true }],
  ['a mode that reads the address alone', { mode: 'unsubscribe' }],
] as const)('%s adds no column', async ([title, more]) => {
  const upload = await prepare(title, birthday, more)
  expect((await upload.start()).status).toBe(200)
  expect(await upload.finished()).toMatchObject({ status: 3 })
  expect(await upload.columns()).toEqual([['age', 'int']])
})

test.for([
  ['is there', 'age'],
  ['every member has', 'active'],
  ['is none of a column', 'Größe!'],
] as const)(
  'a new column whose name %s is rejected by field, and nothing starts',
  async ([title, column]) => {
    const upload = await prepare(title, { ...birthday, column })
    expect(await upload.start()).toMatchObject({
      status: 422,
      error: { fields: [{ field: 'mapping.1.column' }] },
    })
    expect((await app.call('GET', upload.path, { token })).json).toMatchObject({ status: 1 })
    expect(await upload.columns()).toEqual([['age', 'int']])
  },
)

test('a new column needs the permission to change datasources, both to save and to add it', async () => {
  const upload = await prepare('Guarded', birthday)
  const kept = await app.call('PATCH', upload.path, { token: uploader, body: upload.body })
  const refused = { status: 403, error: { error: expect.stringContaining('EmmaMemberTable:patch') } }
  expect(kept).toMatchObject(refused)
  expect(await upload.start(uploader)).toMatchObject(refused)
  expect(await upload.columns()).toEqual([['age', 'int']])
})
