import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const cachedTables = 'client|user_client|user_settings|member_table_column'
const writes = new RegExp(
  `(insert into|update|delete from) (${cachedTables})\\b|(insertInto|updateTable|deleteFrom)\\('(${cachedTables})'\\)`,
  'i',
)

test('every writer of cached data notifies the servers', () => {
  const writers = globSync('{packages/core,packages/delivery,apps/server}/src/**/*.ts')
    .filter(file => !/\.test\.ts$|\/test\//.test(file))
    .filter(file => writes.test(readFileSync(file, 'utf8')))
  expect(writers.length).toBeGreaterThan(3)
  expect(writers.filter(file => !/await tellCaches\(/.test(readFileSync(file, 'utf8')))).toEqual([])
})
