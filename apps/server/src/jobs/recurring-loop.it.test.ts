import { recurringOperationsAt } from '@emma/core/recurring/recurring-operations.ts'
import { addTestTenant, testContext } from '@emma/core/test/campaign.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { startRecurringRuns } from './recurring-loop.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('two loops start a run when its time has come, once', async () => {
  const { db } = database
  const { actor, clientId, listId, messageId, domainId, mailclassId } = await addTestTenant(db)
  let now = new Date('2026-03-02T07:59:00Z')
  const { recurring_id: id } = await recurringOperationsAt(() => now).create(db, actor, clientId, {
    name: 'Monday news',
    list_id: listId,
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
    fromadr: 'news@sender.test',
    schedule: {
      rrule: 'FREQ=WEEKLY;BYDAY=MO',
      tz: 'Europe/Berlin',
      start: '2026-01-01',
      end: null,
      time: '09:00',
    },
  })
  const loops = [1, 2].map(() =>
    startRecurringRuns({ db, logger: createLogger('jobs', 'silent'), context: testContext, now: () => now }),
  )
  const campaigns = async () => {
    const { rows } = await sql<{ valid: number }>`
      select valid from campaign where recurring_id = ${id}`.execute(db)
    return rows
  }
  expect(await campaigns()).toEqual([])
  now = new Date('2026-03-02T08:00:00Z')
  await expect.poll(campaigns).toEqual([{ valid: 4 }])
  now = new Date('2026-03-09T08:00:00Z')
  await expect.poll(campaigns).toHaveLength(2)
  await Promise.all(loops.map(loop => loop.stop()))
  expect(await campaigns()).toHaveLength(2)
})
