import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { ledgerAtRest, testEngine, validOf } from '../test/engine.ts'
import { startReceiver, type TestReceiver } from '../test/receiver.ts'

const { paused, running } = campaignState

let database: TestDatabase
let tenant: TestTenant
let receiver: TestReceiver
const engines: Engine[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  // More than the test can send: without time slices, the second campaign would wait for all of it.
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: 4_000 }, (_, n) => `p${n}@gmx.test`),
  )
  receiver = await startReceiver(() => null, 20)
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map(engine => engine.stop()))
  receiver.stop()
  await database.drop()
})

describe('two mail classes over a login that allows one connection', () => {
  it.each([1, 2])(
    'send in turns, with %d at work',
    async count => {
      for (let started = 0; started < count; started++)
        engines.push(await testEngine(database, receiver.port, { outgoing: { allowPrivate: true } }))
      const login = {
        transport: 'smtp',
        smtp_host: '127.0.0.1',
        smtp_port: receiver.port,
        smtp_tls: 'none',
        smtp_username: 'shop',
        login_connections: 1,
      }
      await database.db.updateTable('mailclass').set(login).execute()
      const { mailclass_id } = await database.db
        .insertInto('mailclass')
        .values({ client_id: tenant.clientId, name: 'other', ...login })
        .returning('mailclass_id')
        .executeTakeFirstOrThrow()
      const first = await addCampaign(tenant, { fromadr: 'first@sender.test' })
      await expect.poll(() => sent('first')).toBeGreaterThan(0)
      const second = await addCampaign(tenant, { fromadr: 'second@sender.test', mailclass_id })
      await expect.poll(() => sent('second')).toBeGreaterThan(0)
      const before = sent('first')
      await expect.poll(() => sent('first')).toBeGreaterThan(before)
      for (const { campaignId } of [first, second]) expect(await validOf(tenant.db, campaignId)).toBe(running)
      // Who is alone has it for himself, once the last mail of the other is through.
      await pause(first.campaignId)
      const { sent: ledger } = await ledgerAtRest(tenant.db, first.campaignId)
      expect(sent('first')).toBe(ledger)
      const later = sent('second')
      await expect.poll(() => sent('second')).toBeGreaterThan(later)
      expect(receiver.mostConnections()).toBe(1)
      await pause(second.campaignId)
      expect((await ledgerAtRest(tenant.db, second.campaignId)).sent).toBe(sent('second'))
    },
    180_000,
  )
})

function sent(from: string): number {
  return receiver.taken.filter(mail => mail.from === from).length
}

async function pause(campaignId: number): Promise<void> {
  await database.db
    .updateTable('campaign')
    .set({ valid: paused })
    .where('campagne_id', '=', campaignId)
    .execute()
}
