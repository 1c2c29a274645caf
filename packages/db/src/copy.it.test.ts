import { text } from 'node:stream/consumers'
import { array, assert, asyncProperty, stringMatching } from 'fast-check'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CopyValue, copyRows, copyTo } from './copy.ts'
import { createTestDatabase, type TestDatabase } from './test/database.ts'

let database: TestDatabase
let client: PoolClient
beforeAll(async () => {
  database = await createTestDatabase()
  client = await database.pool.connect()
  await client.query(
    'create table cell (id int primary key, text text, flag boolean, moment timestamptz, bytes bytea, total bigint)',
  )
})
beforeEach(() => client.query('truncate cell'))
afterAll(async () => {
  client.release()
  await database.drop()
})

const columns = ['id', 'text', 'flag', 'moment', 'bytes', 'total']

test('every type of value is preserved', async () => {
  const moment = new Date('2026-03-01T12:00:00.123Z')
  const inserted = await copyRows(client, 'cell', columns, [
    [1, 'Grüße\t"x", \\N\r\n', true, moment, Buffer.from([0, 255]), 9007199254740993n],
    [2, null, null, null, null, undefined],
  ])
  expect(inserted).toBe(2)
  const { rows } = await client.query(
    'select id, text, flag, moment, bytes, total::text as total from cell order by id',
  )
  expect(rows).toEqual([
    {
      id: 1,
      text: 'Grüße\t"x", \\N\r\n',
      flag: true,
      moment: moment.toISOString(),
      bytes: Buffer.from([0, 255]),
      total: '9007199254740993',
    },
    { id: 2, text: null, flag: null, moment: null, bytes: null, total: null },
  ])
})

test('no text can break out of its cell', async () => {
  const words = array(stringMatching(/^[\\\t\n\rN.a-c|ü"']*$/), { minLength: 1, maxLength: 50 })
  await assert(
    asyncProperty(words, async texts => {
      await client.query('truncate cell')
      await copyRows(
        client,
        'cell',
        ['id', 'text'],
        texts.map((word, id): CopyValue[] => [id, word]),
      )
      const { rows } = await client.query('select text from cell order by id')
      expect(rows.map(row => row.text)).toEqual(texts)
    }),
    { numRuns: 30 },
  )
})

test('a source that fails half-way inserts nothing, and the connection stays usable', async () => {
  await expect(copyRows(client, 'cell', ['id', 'text'], brokenSource())).rejects.toThrow(
    'the upload was cut off',
  )
  const { rows } = await client.query('select count(*) as count from cell')
  expect(rows).toEqual([{ count: 0 }])
})

test('a rejected row fails the whole COPY, and the connection stays usable', async () => {
  const twice: CopyValue[][] = [
    [1, 'one'],
    [1, 'again'],
  ]
  await expect(copyRows(client, ['public', 'cell'], ['id', 'text'], twice)).rejects.toThrow('duplicate key')
  await expect(copyRows(client, 'cell', ['id', 'text'], [[2, 'nul \0']])).rejects.toThrow(
    'invalid byte sequence',
  )
  expect(await copyRows(client, 'cell', ['id', 'text'], [[1, 'one']])).toBe(1)
})

test('COPY TO streams the rows', async () => {
  await copyRows(client, 'cell', ['id', 'text'], [[1, 'a,b']])
  expect(await text(copyTo(client, 'copy (select id, text from cell) to stdout with (format csv)'))).toBe(
    '1,"a,b"\n',
  )
})

async function* brokenSource(): AsyncGenerator<CopyValue[]> {
  for (let id = 0; id < 50_000; id++) yield [id, 'row']
  throw new Error('the upload was cut off')
}
