import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { SMTP_DEPTH } from '@emma/mail/smtp/client.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { mailCall } from '@emma/contract/actions/transactional.ts'
import { createMailAcceptor } from '@emma/core/transactional/accept-mails.ts'
import { readMailTemplate } from '@emma/core/transactional/mail-template.ts'
import { addCampaign, createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, startLab, testEngine, type TestLab, validOf } from '../test/engine.ts'

const MEMBERS = 3_000
const KILLS = 6
/** Emails that programs hand over, in all rounds. */
const CALLS = 600

/** Connections of the mail class × messages in flight on each: the maximum of unknown rows after one kill. */
const MOST_IN_FLIGHT = 10 * SMTP_DEPTH

let database: TestDatabase
let lab: TestLab
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `${n % 50 === 0 ? 'bounce' : 'ok'}-${n}@web.test`),
  )
  lab = await startLab(database.db)
})
afterAll(async () => {
  await lab?.stop()
  await database.drop()
})

describe('a killed engine', () => {
  it('loses no recipient, sends no duplicates, and reports unknown outcomes', async () => {
    const { campaignId } = await addCampaign(tenant)
    for (let round = 0; round < KILLS; round++) {
      const child = await startProcess()
      await sleep(40 + Math.random() * 160)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const engine = await testEngine(database, lab.port)
    onTestFinished(() => engine.stop())
    await expect
      .poll(() => validOf(database.db, campaignId), { timeout: 400_000 })
      .toBe(campaignState.finished)
    const { sent = 0, rejected = 0, unknown = 0, ...others } = await countLedger(database.db, campaignId)
    expect(others).toEqual({})
    expect(sent + rejected + unknown).toBe(MEMBERS)
    expect(unknown).toBeLessThanOrEqual(KILLS * MOST_IN_FLIGHT)

    const accepted = lab
      .log()
      .filter(row => row.outcome === 'accepted')
      .map(row => row.recipient)
    expect(new Set(accepted).size).toBe(accepted.length)
    const states = await readStates(campaignId)
    expect(accepted.filter(email => !['sent', 'unknown'].includes(states.get(email) ?? ''))).toEqual([])
    const received = new Set(accepted)
    expect([...states].filter(([email, state]) => state === 'sent' && !received.has(email))).toEqual([])
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from event where type = 'bounce' and campagne_id = ${campaignId}`.execute(
      database.db,
    )
    expect(rows[0]?.count).toBe(rejected)
  }, 600_000)
})

describe('an engine that is killed between call and delivery', () => {
  it('R234 sends every transactional email once, or reports it as unknown', async () => {
    const { id } = await database.db
      .insertInto('transactional')
      .values({
        client_id: tenant.clientId,
        name: 'Order',
        domain_id: tenant.domainId,
        mailclass_id: tenant.mailclassId,
        message_id: tenant.messageId,
        fromadr: `orders@${SENDER}`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.db.updateTable('message').set({ body_long: '<p>{{ data.number }}</p>' }).execute()
    const template = await readMailTemplate(database.db, { clientIds: [tenant.clientId] }, id)
    const acceptor = createMailAcceptor(database.db)
    const before = lab.log().length
    for (let round = 0; round < KILLS; round++) {
      const child = await startProcess()
      const calls = Array.from({ length: CALLS / KILLS }, (_, n) =>
        mailCall.parse({ email: `ok-call-${round}-${n}@web.test`, data: { number: `${round}-${n}` } }),
      )
      await acceptor.accept(template, calls, () => '')
      await sleep(200 + Math.random() * 300)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const engine = await testEngine(database, lab.port)
    onTestFinished(() => engine.stop())
    const states = async () => {
      const { rows } = await sql<{ email: string; state: string | null }>`
        select m.email, d.state::text from transactional_mail m
        left join delivery d
          on d.client_id = m.client_id and d.campagne_id = m.campagne_id and d.member_id = m.mail_id`.execute(
        database.db,
      )
      return new Map(rows.map(row => [row.email, row.state]))
    }
    const isOpen = (state: string | null) => state !== 'sent' && state !== 'unknown'
    await expect.poll(async () => [...(await states()).values()].filter(isOpen)).toEqual([])
    const last = await states()
    expect(last.size).toBe(CALLS)
    expect([...last.values()].filter(state => state === 'unknown').length).toBeLessThanOrEqual(
      KILLS * MOST_IN_FLIGHT,
    )
    const accepted = lab
      .log()
      .slice(before)
      .filter(row => row.outcome === 'accepted' && row.recipient.startsWith('ok-call-'))
      .map(row => row.recipient)
    expect(new Set(accepted).size).toBe(accepted.length)
    const received = new Set(accepted)
    expect([...last].filter(([email, state]) => state === 'sent' && !received.has(email))).toEqual([])
  })
})

async function startProcess(): Promise<ChildProcess> {
  const child = fork(new URL('../test/engine-process.ts', import.meta.url), [database.url, String(lab.port)])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

async function readStates(campaignId: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ email: string; state: string }>`
    select email, state from delivery where campagne_id = ${campaignId}`.execute(database.db)
  return new Map(rows.map(row => [row.email, row.state]))
}
