import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import { type Doors, openDoors } from './test/doors.ts'
import { play, whats } from './test/play.ts'

/**
 * Events arrive through the public interfaces late, repeated, out of order, forged and for another client, while
 * users pause, stop, erase and resend; every displayed figure must match an independent model.
 * `EMMA_FIGURE_SEEDS=17-200` tries other sequences, and `EMMA_FIGURE_SHRINK=1` searches for the shortest failing
 * part.
 */
const [first = 1, last = first] = (process.env.EMMA_FIGURE_SEEDS ?? (process.env.CI ? '1-5' : '1-2'))
  .split('-')
  .map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)

let database: TestDatabase
let tenants: TestTenant[]
let doors: Doors
beforeAll(async () => {
  database = await createTestDatabase()
  tenants = [await createTestTenant(database.db, []), await createTestTenant(database.db, [])]
  for (const { clientId, memberTableId } of tenants)
    await sql`
      insert into member_table_column (client_id, member_table_id, column_name, label, data_type, is_fixed)
      values (${clientId}, ${memberTableId}, 'email', 'Email', 'email', true)`.execute(database.db)
  doors = await openDoors(
    database,
    tenants.map(({ clientId }) => clientId),
  )
})
afterAll(async () => {
  await doors?.close()
  await database.drop()
})

const often = [
  'claim',
  'claim',
  'settle',
  'settle',
  'settle',
  'hit',
  'hit',
  'hit',
  'tell',
  'tell',
  'returned',
] as const
const number = integer({ min: 0, max: 9_999 })
const step = record({
  what: constantFrom(...whats, ...often),
  tenant: constantFrom(0, 0, 0, 1),
  campaign: number,
  mail: number,
  pick: number,
  isDoubled: boolean(),
  isForged: constantFrom(false, false, false, true),
})

test.each(seeds)(
  'all figures match an independent model, whatever arrives through the public interfaces: seed %i',
  async seed => {
    const steps = array(step, { minLength: 70, maxLength: 70, size: 'max' })
    await assert(
      asyncProperty(steps, given => play(database, tenants, doors, given)),
      { seed, numRuns: 1, unbiased: true, endOnFailure: !process.env.EMMA_FIGURE_SHRINK },
    )
  },
  120_000,
)
